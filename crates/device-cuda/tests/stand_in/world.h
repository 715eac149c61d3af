// The state of the stand-in for the driver: devices, streams, events, memory and captures.

#pragma once
#include "driver.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <ucontext.h>

namespace {
using Lock = std::unique_lock<std::mutex>;
using Time = std::chrono::steady_clock::time_point;
typedef int Code;

enum : Code {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    UNSUPPORTED_PTX = 222,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    OUT_OF_RESOURCES = 701,
    PEER_ALREADY_ENABLED = 704,
    PEER_NOT_ENABLED = 705,
    LAUNCH_FAILED = 719,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_MERGE = 902,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_UNJOINED = 904,
    CAPTURE_ISOLATION = 905,
    CAPTURED_EVENT = 907,
    CAPTURE_WRONG_THREAD = 908,
};

const struct { Code code; const char *name, *text; } ERRORS[] = {
    {OK, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {UNSUPPORTED_PTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {PEER_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {PEER_NOT_ENABLED, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {CAPTURE_MERGE, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "operation would result in a merge of separate capture sequences"},
    {CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not ended in the same stream as it began"},
    {CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream"},
    {CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream"},
    {CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
        "attempt to terminate a thread-local capture sequence from another thread"},
};

const char* named(Code code) {
    for (const auto& e : ERRORS)
        if (e.code == code) return e.name;
    return "CUDA_ERROR_UNKNOWN";
}

uint64_t setting(const char* name, uint64_t otherwise) {
    const char* text = getenv(name);
    return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

// The progress of each stream, by the streams' numbers.
using Clock = std::vector<uint64_t>;

void merge(Clock& into, const Clock& from) {
    if (into.size() < from.size()) into.resize(from.size());
    for (size_t i = 0; i < from.size(); i++) into[i] = std::max(into[i], from[i]);
}

uint64_t at(const Clock& clock, size_t i) { return i < clock.size() ? clock[i] : 0; }

struct Device;
struct Context;
struct Stream;
struct Capture;

// Memory of a device, or page-locked memory.
struct Allocation {
    uint64_t start, size, region, pages;
    // Null for page-locked memory.
    Device* device;
    bool pooled = false, there = false, freed = false;
    // The last write and the last read of each stream, as stream and position.
    size_t writer = SIZE_MAX;
    uint64_t written = 0;
    const char* write_name = "";
    std::map<size_t, std::pair<uint64_t, const char*>> readers;
    // Copies of page-locked memory that are queued, or recorded in graphs.
    std::atomic<int> pending{0};
};

// A pending copy.
std::shared_ptr<void> pend(const std::shared_ptr<Allocation>& a) {
    if (!a) return nullptr;
    a->pending++;
    return std::shared_ptr<void>(nullptr, [a](void*) { a->pending--; });
}

// The position at which an event was recorded.
struct Mark {
    bool done = false;
    Clock clock;
    Time time;
};

struct Node {
    const char* what;
    std::vector<Use> uses;
    std::function<Code()> run;
    std::vector<size_t> after;
};

// A stream's share of a capture, and the capture.
struct Capture {
    Stream* origin;
    std::thread::id thread;
    int mode;
    bool invalid = false;
    std::vector<Node> nodes;
    std::set<Stream*> streams;
};

struct Event {
    Context* context;
    unsigned flags;
    std::shared_ptr<Mark> mark;
    std::weak_ptr<Capture> capture;
    std::vector<size_t> captured;
    bool was_captured = false;
};

struct Op {
    const char* what = "";
    std::vector<Use> uses;
    std::function<Code()> run;
    // To wait for before.
    std::shared_ptr<Mark> wait;
    // Set when reached.
    std::shared_ptr<Mark> mark;
    std::shared_ptr<const Clock> host;
    bool frees = false;
};

struct Stream {
    Context* context;
    size_t number;
    std::deque<Op> queue;
    // Entries of the queue that were started.
    uint64_t done = 0;
    bool destroyed = false;
    Clock clock;
    std::shared_ptr<Capture> capture;
    std::vector<size_t> tail;
};

struct Context {
    Device* device;
    Code failed = OK;
    std::set<Context*> peers;
    Stream* legacy = nullptr;
    int retained = 0;
};

struct Device {
    int ordinal;
    Context* primary = nullptr;
    uint64_t arena = 0, next = 0, used = 0;
    std::set<Device*> pool_peers;
};

struct Module {
    Context* context;
    void* library;
    std::string file;
};

struct Function {
    Module* module;
    std::string name;
    const Argument* arguments;
    unsigned count, bounds, waits;
    unsigned long shared;
    void (*one)(void*, void**);
    void (*all)(void*, void**, int);
};

struct Graph {
    std::vector<Node> nodes;
};

const uint64_t ARENA = 1ull << 38, PAGE = 4096, ALIGN = 256;

// The whole state. It is never destroyed, since streams may run until the process ends.
struct World {
    std::mutex lock;
    // Something was queued, marked, done or destroyed.
    std::condition_variable changed;
    std::vector<Device*> devices;
    std::set<void*> contexts, streams, events, modules, functions, graphs, execs;
    std::map<uint64_t, std::shared_ptr<Allocation>> memory;
    std::shared_ptr<const Clock> host = std::make_shared<Clock>();
    size_t numbers = 0;
    uint64_t limit = 0;
    uint64_t taken = 0;
    bool old = false, tolerant = false, peers = true, started = false;
    uint64_t delay = 0, seed = 0;
    std::string fail;
    uint64_t fail_at = 0, launches = 0, refusals = 0, allocs = 0, copies = 0;
    std::vector<std::weak_ptr<Capture>> captures;
};

World& world() {
    static World* all = new World;
    return *all;
}

thread_local Context* current = nullptr;

void violation(const char* format, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "stand-in for CUDA: %s\n", text);
    fflush(stderr);
    if (!world().tolerant) abort();
}

void violated(const char* format, ...) __attribute__((format(printf, 1, 2)));
void violated(const char* format, ...) {
    va_list args;
    va_start(args, format);
    violation(format, args);
    va_end(args);
}

uint64_t shuffled(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

bool fails(const char* what, uint64_t& count) {
    count++;
    World& w = world();
    return w.fail == what && count == w.fail_at;
}
} // namespace
