// What the stand-in libraries share.

#pragma once
#include <cstddef>
#include <cstdint>

// A range of memory that queued work reads or writes: all of the allocation that `address` lies in.
struct Use {
    uint64_t address;
    bool writes;
};

// How a kernel's argument is used: its size in bytes, and 0 for a value, 1 for a pointer to what is read, 2 for a pointer to
// what may be written.
struct Argument {
    unsigned size;
    unsigned kind;
};

struct Dim {
    unsigned x, y, z;
};

// What every kernel finds in its base: compiled programs are written against this layout.
struct Invocation {
    Dim threadIdx, blockIdx, blockDim, gridDim;
    char* shared;
    void (*barrier)();
};

extern "C" {
// Queues `run(context)` on a stream, on whose thread it is called once what came before is done; `drop(context)` is called
// when it is needed no more. Gives a CUresult; `run` gives one too.
int stand_in_queue(void* stream, const char* what, const Use* uses, size_t count, int (*run)(void*), void (*drop)(void*),
    void* context);
// Bytes from `address` to the end of the allocation that it lies in and that is there now; 0 without one.
uint64_t stand_in_extent(uint64_t address);
// Says that the caller did what it must not do, and ends the process unless faults are expected.
void stand_in_violation(const char* format, ...) __attribute__((format(printf, 1, 2)));
}
