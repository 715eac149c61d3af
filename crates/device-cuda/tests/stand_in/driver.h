// What the stand-in libraries share.

#pragma once
#include <cstddef>
#include <cstdint>

// A range of memory that queued work reads or writes: the whole allocation that `address` lies in.
struct Use {
    uint64_t address;
    bool writes;
};

// How a kernel's argument is used: its size in bytes, and 0 for a value, 1 for a pointer to memory that is read, 2 for
// a pointer to memory that may be written.
struct Argument {
    unsigned size;
    unsigned kind;
};

struct Dim {
    unsigned x, y, z;
};

// The base of every kernel: compiled programs are written against this layout.
struct Invocation {
    Dim threadIdx, blockIdx, blockDim, gridDim;
    char* shared;
    void (*barrier)();
};

extern "C" {
// Queues `run(context)` on a stream, on whose thread it is called once earlier work is done; `drop(context)` is called
// when it is not needed any more. Returns a CUresult, as does `run`.
int stand_in_queue(void* stream, const char* what, const Use* uses, size_t count, int (*run)(void*), void (*drop)(void*),
    void* context);
// Bytes from `address` to the end of the live allocation that it lies in; 0 without one.
uint64_t stand_in_extent(uint64_t address);
// Reports that the caller did what it must not do, and ends the process unless faults are expected.
void stand_in_violation(const char* format, ...) __attribute__((format(printf, 1, 2)));
}
