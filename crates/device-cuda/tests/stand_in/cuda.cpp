// A stand-in for the CUDA driver, which computes on the processor.
//
// It is as unforgiving as a driver may be. Every stream is a thread that takes its time. Memory that is allocated on a stream
// can be touched once the stream has come to that, holds garbage, is never handed out twice and cannot be touched any more
// once it is freed. Every use of an allocation is compared with the last ones on other streams: where no event or wait orders
// them, that is reported even if it went well. What a caller must not do is a violation: it is written to stderr and ends the
// process, unless LEVADA_STAND_IN_TOLERANT=1 asks to give the error only.
//
// LEVADA_STAND_IN_DEVICES       number of devices, 1
// LEVADA_STAND_IN_MEMORY        bytes of memory of each, 4 GiB
// LEVADA_STAND_IN_PEERS         0 where the devices do not see each other's memory
// LEVADA_STAND_IN_SEED          for delays and the order of blocks
// LEVADA_STAND_IN_DELAY         the longest delay in microseconds, 200
// LEVADA_STAND_IN_FAIL          launch:N, the Nth kernel faults; refuse:N, the Nth launch is refused; alloc:N, the Nth
//                               allocation finds no memory; copy:N, the Nth copy faults

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

// How far each stream had come, by the streams' numbers.
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
    // The last write and the last read of each stream, as stream and place.
    size_t writer = SIZE_MAX;
    uint64_t written = 0;
    const char* write_name = "";
    std::map<size_t, std::pair<uint64_t, const char*>> readers;
    // Copies of page-locked memory that are queued, or kept in graphs.
    std::atomic<int> pending{0};
};

// A copy that is pending.
std::shared_ptr<void> pend(const std::shared_ptr<Allocation>& a) {
    if (!a) return nullptr;
    a->pending++;
    return std::shared_ptr<void>(nullptr, [a](void*) { a->pending--; });
}

// What an event was recorded at.
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
    // Waited for before.
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
    // Entries of the queue that were begun.
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

// All of it. It is never taken down, since streams may run until the process ends.
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
    bool tolerant = false, peers = true, started = false;
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

// Memory accesses that fault, on the threads of streams.

thread_local sigjmp_buf* landing = nullptr;
thread_local uint64_t fault_at = 0;
thread_local int fault_signal = 0;
struct sigaction before_segv, before_bus, before_fpe;

#if defined(__x86_64__)
// Goes on behind a division of integers that cannot be done, which disturbs no graphics processor: the least number divided
// by -1 is itself, and division by zero gives all bits, and what was divided as the rest.
bool divided(void* context) {
    auto& registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    auto at = (const unsigned char*)registers[REG_RIP], code = at;
    bool wide = false;
    while (*code == 0x66 || (*code & 0xf0) == 0x40) wide |= (*code++ & 0xf8) == 0x48;
    if (*code != 0xf7) return false;
    unsigned char mode = code[1] >> 6, kind = code[1] >> 3 & 7, base = code[1] & 7;
    if (kind != 6 && kind != 7) return false;
    size_t size = 2 + (mode != 3 && base == 4) + (mode == 1 ? 1 : mode == 2 || (mode == 0 && base == 5) ? 4 : 0);
    uint64_t low = registers[REG_RAX];
    // The least number is that of its width: only -1 can have divided it then.
    bool least = kind == 7 && (wide ? low == 1ull << 63 : (uint32_t)low == 1u << 31) && registers[REG_RDX] != 0;
    // The least number is divided by zero as any other; that gives something else here, as it may.
    registers[REG_RDX] = least ? 0 : low;
    if (!least) registers[REG_RAX] = wide ? -1 : 0xffffffff;
    registers[REG_RIP] += (code - at) + size;
    return true;
}
#else
bool divided(void*) { return false; }
#endif

void on_fault(int signal, siginfo_t* info, void* context) {
    if (landing && signal == SIGFPE && divided(context)) return;
    if (landing) {
        fault_at = (uint64_t)info->si_addr;
        fault_signal = signal;
        siglongjmp(*landing, 1);
    }
    struct sigaction& before = signal == SIGSEGV ? before_segv : signal == SIGBUS ? before_bus : before_fpe;
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(signal);
    } else {
        ::signal(signal, SIG_DFL);
        raise(signal);
    }
}

void catch_faults() {
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
    sigaction(SIGFPE, &action, &before_fpe);
}

std::string place(uint64_t address);

// Calls what may fault.
template <class F> Code guarded(const char* what, F&& run) {
    sigjmp_buf here;
    if (sigsetjmp(here, 1)) {
        landing = nullptr;
        if (fault_signal == SIGFPE) {
            violated("%s divides an integer by zero", what);
        } else {
            violated("%s touches %s", what, place(fault_at).c_str());
        }
        return ILLEGAL_ADDRESS;
    }
    landing = &here;
    Code code = run();
    landing = nullptr;
    return code;
}

// Memory. The lock is held.

std::shared_ptr<Allocation> holding(uint64_t address) {
    auto& memory = world().memory;
    auto next = memory.upper_bound(address);
    if (next == memory.begin()) return nullptr;
    auto& found = std::prev(next)->second;
    return address < found->start + found->size ? found : nullptr;
}

std::string place(uint64_t address) {
    char text[160];
    Lock lock(world().lock, std::try_to_lock);
    auto& memory = world().memory;
    auto next = memory.upper_bound(address);
    if (next == memory.begin()) {
        snprintf(text, sizeof text, "%#llx, where there is nothing", (unsigned long long)address);
    } else {
        Allocation& a = *std::prev(next)->second;
        const char* state = a.freed ? ", which is freed" : !a.there ? ", which is not there yet" : "";
        snprintf(text, sizeof text, "byte %llu of an allocation of %llu bytes%s", (unsigned long long)(address - a.start),
            (unsigned long long)a.size, state);
    }
    return text;
}

std::shared_ptr<Allocation> reserve(Device* device, uint64_t bytes) {
    uint64_t size = (bytes + ALIGN - 1) / ALIGN * ALIGN, pages = (size + PAGE - 1) / PAGE * PAGE;
    uint64_t region;
    if (device) {
        if (!device->arena) {
            void* got = mmap(nullptr, ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (got == MAP_FAILED) return nullptr;
            device->arena = (uint64_t)got;
            device->next = PAGE;
        }
        if (device->next + pages + PAGE > ARENA) return nullptr;
        region = device->arena + device->next;
        device->next += pages + PAGE;
    } else {
        void* got = mmap(nullptr, pages + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got == MAP_FAILED) return nullptr;
        region = (uint64_t)got;
    }
    // The end is at the end of a page, so that nothing can be touched beyond.
    auto made = std::make_shared<Allocation>();
    made->start = region + pages - size;
    made->size = bytes;
    made->region = region;
    made->pages = pages;
    made->device = device;
    world().memory[made->start] = made;
    return made;
}

void appear(Allocation& a) {
    if (mprotect((void*)a.region, a.pages, PROT_READ | PROT_WRITE)) abort();
    memset((void*)a.start, 0xff, a.region + a.pages - a.start);
    a.there = true;
}

void vanish(Allocation& a) {
    mmap((void*)a.region, a.pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    a.there = false;
    a.freed = true;
}

// Streams.

// Compares uses with earlier ones, and keeps them. The lock is held.
Code ordered(Stream* stream, uint64_t place_in, const Op& op) {
    Code code = OK;
    for (const Use& use : op.uses) {
        auto found = holding(use.address);
        if (!found) continue;
        Allocation& a = *found;
        if (a.device && !op.frees && (!a.there || a.freed)) {
            violated("%s uses memory that %s", op.what, a.freed ? "is freed" : "is not there yet");
            code = ILLEGAL_ADDRESS;
        }
        auto unordered = [&](size_t other, uint64_t when) { return other != stream->number && at(stream->clock, other) < when; };
        const char* other = nullptr;
        if (a.writer != SIZE_MAX && unordered(a.writer, a.written)) other = a.write_name;
        if (use.writes)
            for (auto& [reader, when] : a.readers)
                if (unordered(reader, when.first)) other = when.second;
        if (other) {
            violated("%s %s memory of %llu bytes that %s uses on another stream, with nothing to order them", op.what,
                use.writes ? "writes" : "reads", (unsigned long long)a.size, other);
            code = LAUNCH_FAILED;
        }
        if (use.writes) {
            a.writer = stream->number;
            a.written = place_in;
            a.write_name = op.what;
            a.readers.clear();
        } else {
            a.readers[stream->number] = {place_in, op.what};
        }
    }
    return code;
}

void work(Stream* stream) {
    World& w = world();
    uint64_t random = shuffled(w.seed * 1000003 + stream->number);
    Lock lock(w.lock);
    for (;;) {
        w.changed.wait(lock, [&] { return !stream->queue.empty() || stream->destroyed; });
        if (stream->queue.empty()) break;
        Op& op = stream->queue.front();
        merge(stream->clock, *op.host);
        if (op.wait) {
            w.changed.wait(lock, [&] { return op.wait->done; });
            merge(stream->clock, op.wait->clock);
        }
        uint64_t count = ++stream->done;
        if (stream->clock.size() <= stream->number) stream->clock.resize(stream->number + 1);
        stream->clock[stream->number] = count;
        Context* context = stream->context;
        random = shuffled(random);
        if (w.delay && random % 16 == 0) {
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::microseconds(random / 16 % w.delay));
            lock.lock();
        }
        if (op.run && context->failed == OK) {
            Code code = ordered(stream, count, op);
            lock.unlock();
            if (code == OK) code = op.run();
            lock.lock();
            if (code != OK && context->failed == OK) context->failed = code;
        }
        if (op.mark) {
            op.mark->clock = stream->clock;
            op.mark->time = std::chrono::steady_clock::now();
            op.mark->done = true;
        }
        // What it holds is dropped without the lock, since that may be code of the caller's.
        Op done = std::move(stream->queue.front());
        stream->queue.pop_front();
        lock.unlock();
        done = Op();
        w.changed.notify_all();
        lock.lock();
    }
    // The handle is gone already.
    delete stream;
}

// Queues on a stream, or keeps in the graph that it captures. The lock is held.
Code queue(Stream* stream, Op op) {
    World& w = world();
    if (stream->capture) {
        Capture& capture = *stream->capture;
        if (capture.invalid) return CAPTURE_INVALIDATED;
        capture.nodes.push_back(Node{op.what, std::move(op.uses), std::move(op.run), stream->tail});
        stream->tail = {capture.nodes.size() - 1};
        return OK;
    }
    op.host = w.host;
    stream->queue.push_back(std::move(op));
    w.changed.notify_all();
    return OK;
}

// The host has heard of all that this clock knows. The lock is held.
void heard(const Clock& clock) {
    auto known = std::make_shared<Clock>(*world().host);
    merge(*known, clock);
    world().host = known;
}

Stream* make_stream(Context* context) {
    World& w = world();
    Stream* stream = new Stream{};
    stream->context = context;
    stream->number = w.numbers++;
    w.streams.insert(stream);
    std::thread(work, stream).detach();
    return stream;
}

// The stream of a handle: null is the current context's own. The lock is held.
Code stream_of(void* handle, Stream*& stream) {
    World& w = world();
    if (!handle) {
        if (!current) return INVALID_CONTEXT;
        if (!current->legacy) current->legacy = make_stream(current);
        stream = current->legacy;
    } else if (!w.streams.count(handle)) {
        violated("there is no stream %p", handle);
        return INVALID_HANDLE;
    } else {
        stream = (Stream*)handle;
    }
    return stream->context->failed;
}

void wait_for(Lock& lock, Stream* stream) {
    auto mark = std::make_shared<Mark>();
    Op op;
    op.what = "waiting";
    op.mark = mark;
    op.host = world().host;
    stream->queue.push_back(std::move(op));
    world().changed.notify_all();
    world().changed.wait(lock, [&] { return mark->done; });
    heard(mark->clock);
}

// Whether something is captured that forbids calls that may change what is captured, and the error for that; it invalidates
// the capture of this thread. The lock is held.
Code unsafe_now(const char* what) {
    for (auto& weak : world().captures) {
        auto capture = weak.lock();
        if (!capture || capture->invalid || capture->mode == 2) continue;
        if (capture->mode == 0 || capture->thread == std::this_thread::get_id()) {
            capture->invalid = true;
            violated("%s while a stream is captured", what);
            return CAPTURE_UNSUPPORTED;
        }
    }
    return OK;
}

// Kernels.

const size_t STACK = 128 << 10;
const size_t MOST_SHARED = 232448;

struct Team;
thread_local Team* team = nullptr;

#if defined(__x86_64__)
extern "C" void stand_in_switch(void** from, void* to);
asm(R"(
.text
.type stand_in_switch, @function
stand_in_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size stand_in_switch, . - stand_in_switch
)");
#endif

// The invocations of a block that wait for each other: each has a stack.
struct Team {
    std::vector<char*> stacks;
    std::vector<Invocation> invocations;
    std::vector<bool> over;
    size_t now = 0;
    void (*one)(void*, void**) = nullptr;
    void** arguments = nullptr;
#if defined(__x86_64__)
    void* main = nullptr;
    std::vector<void*> at;
#else
    ucontext_t main;
    std::vector<ucontext_t> at;
#endif

    static void enter() {
        Team& t = *team;
        t.one(&t.invocations[t.now], t.arguments);
        t.over[t.now] = true;
        t.leave();
    }

    void leave() {
#if defined(__x86_64__)
        stand_in_switch(&at[now], main);
#else
        swapcontext(&at[now], &main);
#endif
    }

    void go_on() {
#if defined(__x86_64__)
        stand_in_switch(&main, at[now]);
#else
        swapcontext(&main, &at[now]);
#endif
    }

    void prepare(size_t i) {
        while (stacks.size() <= i) {
            void* got = mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (got == MAP_FAILED) abort();
            mprotect(got, PAGE, PROT_NONE);
            stacks.push_back((char*)got);
        }
#if defined(__x86_64__)
        void** top = (void**)(stacks[i] + STACK - 64);
        // As after a call, when the function starts.
        *--top = nullptr;
        *--top = (void*)&Team::enter;
        for (int r = 0; r < 6; r++) *--top = nullptr;
        at[i] = top;
#else
        getcontext(&at[i]);
        at[i].uc_stack.ss_sp = stacks[i];
        at[i].uc_stack.ss_size = STACK;
        at[i].uc_link = &main;
        makecontext(&at[i], &Team::enter, 0);
#endif
    }

    void run(const Invocation& block, unsigned count, bool back) {
        invocations.assign(count, block);
        over.assign(count, false);
        at.resize(count);
        for (unsigned i = 0; i < count; i++) {
            invocations[i].threadIdx = {i % block.blockDim.x, i / block.blockDim.x % block.blockDim.y,
                i / block.blockDim.x / block.blockDim.y};
            prepare(i);
        }
        for (size_t left = count; left;) {
            for (unsigned i = 0; i < count; i++) {
                now = back ? count - 1 - i : i;
                if (over[now]) continue;
                go_on();
                left -= over[now];
            }
            back = !back;
        }
    }
};

void at_barrier() { team->leave(); }

struct Launch {
    Function* function;
    Dim grid, block;
    size_t dynamic;
    std::vector<std::vector<char>> values;

    Code run(uint64_t seed) {
        thread_local Team mine;
        thread_local std::vector<char> shared(MOST_SHARED);
        team = &mine;
        std::vector<void*> arguments;
        for (auto& value : values) arguments.push_back(value.data());
        Invocation block_of = {{0, 0, 0}, {0, 0, 0}, block, grid, shared.data(), at_barrier};
        mine.one = function->one;
        mine.arguments = arguments.data();
        uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z, turn = shuffled(seed);
        unsigned count = block.x * block.y * block.z;
        return guarded(function->name.c_str(), [&] {
            for (uint64_t i = 0; i < blocks; i++) {
                uint64_t b = turn & 1 ? i : blocks - 1 - i;
                block_of.blockIdx = {(unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y), (unsigned)(b / grid.x / grid.y)};
                if (function->shared + dynamic) memset(shared.data(), 0xff, function->shared + dynamic);
                bool back = (turn >> (1 + i % 60)) & 1;
                if (function->waits) {
                    mine.run(block_of, count, back);
                } else {
                    function->all(&block_of, arguments.data(), back);
                }
            }
            return OK;
        });
    }
};

template <class T> bool known(const std::set<void*>& all, T* handle, const char* what) {
    if (all.count((void*)handle)) return true;
    violated("there is no %s %p", what, (void*)handle);
    return false;
}

// The current context, usable. The lock is held.
Code context_now(Context*& context) {
    if (!world().started) return NOT_INITIALIZED;
    context = current;
    if (!context) return INVALID_CONTEXT;
    return context->failed;
}

Device* device_of(int number) {
    World& w = world();
    return number >= 0 && (size_t)number < w.devices.size() ? w.devices[number] : nullptr;
}

// Whether a stream's kernels may touch an allocation.
bool reachable(Stream* stream, const Allocation& a) {
    if (!a.device || a.device == stream->context->device) return true;
    if (a.pooled) return a.device->pool_peers.count(stream->context->device);
    return a.device->primary && stream->context->peers.count(a.device->primary);
}

// An end of a copy on the device: all of it must be in one allocation.
Code whole(uint64_t address, size_t size, const char* what) {
    Lock lock(world().lock);
    auto found = holding(address);
    if (!found || !found->there || address + size > found->start + found->size) {
        lock.unlock();
        violated("%s of %zu bytes touches %s", what, size, place(address + size - 1).c_str());
        return ILLEGAL_ADDRESS;
    }
    return OK;
}

// Page-locked memory, where an address is in some. The lock is held.
std::shared_ptr<Allocation> locked(const void* address, size_t size) {
    auto found = holding((uint64_t)address);
    return found && !found->device && (uint64_t)address + size <= found->start + found->size ? found : nullptr;
}
} // namespace

extern "C" {
void stand_in_violation(const char* format, ...) {
    va_list args;
    va_start(args, format);
    violation(format, args);
    va_end(args);
}

uint64_t stand_in_extent(uint64_t address) {
    Lock lock(world().lock);
    auto found = holding(address);
    return found && found->there ? found->start + found->size - address : 0;
}

int stand_in_queue(void* handle, const char* what, const Use* uses, size_t count, int (*run)(void*), void (*drop)(void*),
    void* context) {
    std::shared_ptr<void> held(context, drop);
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    Op op;
    op.what = what;
    op.uses.assign(uses, uses + count);
    op.run = [run, held, what] { return guarded(what, [&] { return run(held.get()); }); };
    return queue(stream, std::move(op));
}

Code cuInit(unsigned) {
    World& w = world();
    Lock lock(w.lock);
    if (w.started) return OK;
    w.started = true;
    w.tolerant = setting("LEVADA_STAND_IN_TOLERANT", 0);
    w.limit = setting("LEVADA_STAND_IN_MEMORY", 4ull << 30);
    w.peers = setting("LEVADA_STAND_IN_PEERS", 1);
    w.seed = setting("LEVADA_STAND_IN_SEED", 1);
    w.delay = setting("LEVADA_STAND_IN_DELAY", 200);
    if (const char* fail = getenv("LEVADA_STAND_IN_FAIL")) {
        const char* colon = strchr(fail, ':');
        if (colon) {
            w.fail.assign(fail, colon - fail);
            w.fail_at = strtoull(colon + 1, nullptr, 10);
        }
    }
    for (uint64_t i = 0; i < setting("LEVADA_STAND_IN_DEVICES", 1); i++) {
        Device* device = new Device;
        device->ordinal = (int)i;
        w.devices.push_back(device);
    }
    catch_faults();
    return OK;
}

Code cuDriverGetVersion(int* version) {
    *version = 13000;
    return OK;
}

Code cuGetErrorName(Code code, const char** text) {
    *text = named(code);
    return OK;
}

Code cuGetErrorString(Code code, const char** text) {
    *text = "unknown error";
    for (const auto& e : ERRORS)
        if (e.code == code) *text = e.text;
    return OK;
}

// Devices and contexts.

Code cuDeviceGetCount(int* count) {
    if (!world().started) return NOT_INITIALIZED;
    *count = (int)world().devices.size();
    return OK;
}

Code cuDeviceGet(int* device, int ordinal) {
    if (!world().started) return NOT_INITIALIZED;
    if (!device_of(ordinal)) return INVALID_DEVICE;
    *device = ordinal;
    return OK;
}

Code cuDeviceGetName(char* name, int len, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    snprintf(name, len, "stand-in %d", device);
    return OK;
}

Code cuDeviceGetUuid_v2(char* uuid, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    memset(uuid, 0, 16);
    uuid[15] = (char)(device + 1);
    return OK;
}

Code cuDeviceTotalMem_v2(size_t* bytes, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    *bytes = world().limit;
    return OK;
}

Code cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    switch (attribute) {
    case 1: *value = 1024; return OK;           // threads per block
    case 2: case 3: *value = 1024; return OK;   // block, x and y
    case 4: *value = 64; return OK;
    case 5: *value = 2147483647; return OK;     // grid, x
    case 6: case 7: *value = 65535; return OK;
    case 8: *value = 48 << 10; return OK;       // shared memory per block
    case 10: *value = 32; return OK;            // threads of a warp
    case 16: *value = 4; return OK;             // multiprocessors
    case 31: *value = 1; return OK;             // concurrent kernels
    case 33: *value = device + 1; return OK;    // bus
    case 34: *value = 0; return OK;
    case 39: *value = 2048; return OK;
    case 40: *value = 2; return OK;             // engines for copies
    case 41: *value = 1; return OK;             // unified addresses
    case 50: *value = 0; return OK;
    case 75: *value = 9; return OK;             // compute capability
    case 76: *value = 0; return OK;
    case 97: *value = MOST_SHARED - 1024; return OK;
    case 115: *value = 1; return OK;            // pools of memory
    }
    fprintf(stderr, "stand-in for CUDA: attribute %d is not known\n", attribute);
    *value = 0;
    return OK;
}

Code cuDevicePrimaryCtxRetain(void** context, int number) {
    World& w = world();
    Lock lock(w.lock);
    if (!w.started) return NOT_INITIALIZED;
    Device* device = device_of(number);
    if (!device) return INVALID_DEVICE;
    if (!device->primary) {
        device->primary = new Context{};
        device->primary->device = device;
        w.contexts.insert(device->primary);
    }
    device->primary->retained++;
    *context = device->primary;
    return OK;
}

// Where nobody holds the context any more, it can be used again.
Code cuDevicePrimaryCtxRelease_v2(int number) {
    Lock lock(world().lock);
    Device* device = device_of(number);
    if (!device) return INVALID_DEVICE;
    if (!device->primary || !device->primary->retained) return INVALID_CONTEXT;
    if (--device->primary->retained == 0) device->primary->failed = OK;
    return OK;
}

Code cuCtxGetCurrent(void** context) {
    *context = current;
    return OK;
}

Code cuCtxSetCurrent(void* context) {
    Lock lock(world().lock);
    if (context && !known(world().contexts, context, "context")) return INVALID_CONTEXT;
    current = (Context*)context;
    return OK;
}

Code cuCtxGetDevice(int* device) {
    if (!current) return INVALID_CONTEXT;
    *device = current->device->ordinal;
    return OK;
}

Code cuCtxSynchronize() {
    World& w = world();
    Lock lock(w.lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuCtxSynchronize")) return code;
    auto all = w.streams;
    for (void* one : all)
        if (w.streams.count(one) && ((Stream*)one)->context == context) wait_for(lock, (Stream*)one);
    return context->failed;
}

Code cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return OK;
}

Code cuCtxSetFlags(unsigned) { return OK; }

Code cuDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!device_of(device) || !device_of(peer)) return INVALID_DEVICE;
    *can = world().peers && device != peer;
    return OK;
}

Code cuCtxEnablePeerAccess(void* peer, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags || !known(world().contexts, peer, "context") || peer == context) return INVALID_VALUE;
    if (!world().peers) return 217;
    return context->peers.insert((Context*)peer).second ? OK : PEER_ALREADY_ENABLED;
}

// Memory.

Code cuMemGetInfo_v2(size_t* free, size_t* total) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    *total = world().limit;
    *free = world().limit - std::min(world().limit, context->device->used);
    return OK;
}

static Code reserve_for(Context* context, size_t bytes, std::shared_ptr<Allocation>& made) {
    World& w = world();
    if (!bytes) return INVALID_VALUE;
    if (fails("alloc", w.allocs) || bytes > w.limit || context->device->used + bytes > w.limit) return OUT_OF_MEMORY;
    made = reserve(context->device, bytes);
    if (!made) return OUT_OF_MEMORY;
    context->device->used += bytes;
    return OK;
}

Code cuMemAllocAsync(uint64_t* address, size_t bytes, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("memory is allocated on a stream that is captured, which is not done here");
        return CAPTURE_UNSUPPORTED;
    }
    std::shared_ptr<Allocation> made;
    if (Code code = reserve_for(stream->context, bytes, made)) return code;
    made->pooled = true;
    *address = made->start;
    Op op;
    op.what = "an allocation";
    op.run = [made, stream] {
        Lock lock(world().lock);
        appear(*made);
        made->writer = stream->number;
        made->written = stream->done;
        made->write_name = "the allocation";
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuMemFreeAsync(uint64_t address, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    auto found = holding(address);
    if (!found || found->start != address || !found->device || found->freed) {
        violated("memory is freed that is not there");
        return INVALID_VALUE;
    }
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("memory is freed on a stream that is captured");
        return INVALID_VALUE;
    }
    found->device->used -= found->size;
    Op op;
    op.what = "a free";
    op.frees = true;
    op.uses = {{address, true}};
    op.run = [found] {
        Lock lock(world().lock);
        if (found->freed) {
            violated("memory is freed twice");
            return INVALID_VALUE;
        }
        vanish(*found);
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuMemAlloc")) return code;
    std::shared_ptr<Allocation> made;
    if (Code code = reserve_for(context, bytes, made)) return code;
    appear(*made);
    *address = made->start;
    return OK;
}

Code cuMemFree_v2(uint64_t address) {
    World& w = world();
    {
        Lock lock(w.lock);
        if (Code code = unsafe_now("cuMemFree")) return code;
    }
    if (Code code = cuCtxSynchronize()) return code;
    Lock lock(w.lock);
    auto found = holding(address);
    if (!found || found->start != address || !found->there || !found->device) {
        violated("memory is freed that is not there");
        return INVALID_VALUE;
    }
    found->device->used -= found->size;
    vanish(*found);
    return OK;
}

Code cuMemHostAlloc(void** address, size_t bytes, unsigned) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuMemHostAlloc")) return code;
    if (!bytes) return INVALID_VALUE;
    auto made = reserve(nullptr, bytes);
    if (!made) return OUT_OF_MEMORY;
    appear(*made);
    *address = (void*)made->start;
    return OK;
}

Code cuMemFreeHost(void* address) {
    Lock lock(world().lock);
    auto found = holding((uint64_t)address);
    if (!found || found->device || found->start != (uint64_t)address || found->freed) {
        violated("page-locked memory is freed that is not there");
        return INVALID_VALUE;
    }
    if (Code code = unsafe_now("cuMemFreeHost")) return code;
    if (found->pending) violated("page-locked memory is freed while %d copies use it", found->pending.load());
    vanish(*found);
    return current ? current->failed : OK;
}

Code cuDeviceGetDefaultMemPool(void** pool, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    *pool = device_of(device);
    return OK;
}
Code cuDeviceGetMemPool(void** pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }
Code cuMemPoolSetAttribute(void* pool, int, void*) { return pool ? OK : INVALID_VALUE; }
Code cuMemPoolGetAttribute(void* pool, int, uint64_t* value) {
    *value = 0;
    return pool ? OK : INVALID_VALUE;
}
Code cuMemPoolTrimTo(void* pool, size_t) { return pool ? OK : INVALID_VALUE; }

struct PoolAccess { int type, id, flags; };
Code cuMemPoolSetAccess(void* pool, const PoolAccess* all, size_t count) {
    Lock lock(world().lock);
    for (size_t i = 0; i < count; i++) {
        Device* peer = device_of(all[i].id);
        if (!pool || !peer) return INVALID_DEVICE;
        if (!world().peers && peer != pool) return 217;
        if (all[i].flags == 3) {
            ((Device*)pool)->pool_peers.insert(peer);
        } else {
            ((Device*)pool)->pool_peers.erase(peer);
        }
    }
    return OK;
}

// Copies.

static Code copy_now(void* to, const void* from, size_t size, const char* what) {
    World& w = world();
    {
        Lock lock(w.lock);
        if (fails("copy", w.copies)) return ILLEGAL_ADDRESS;
    }
    return guarded(what, [&] {
        memcpy(to, from, size);
        return OK;
    });
}

Code cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "a copy from the host";
    op.uses = {{to, true}};
    auto source = locked(from, size);
    if (source) {
        op.uses.push_back({(uint64_t)from, false});
        op.run = [=, pending = pend(source)] {
            Code code = whole(to, size, "a copy from the host");
            return code ? code : copy_now((void*)to, from, size, "a copy from the host");
        };
    } else {
        // What is not page-locked has been read when the call returns.
        auto bytes = std::make_shared<std::vector<char>>((const char*)from, (const char*)from + size);
        op.run = [=] {
            Code code = whole(to, size, "a copy from the host");
            return code ? code : copy_now((void*)to, bytes->data(), size, "a copy from the host");
        };
    }
    return queue(stream, std::move(op));
}

Code cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "a copy to the host";
    op.uses = {{from, false}};
    auto target = locked(to, size);
    if (target) op.uses.push_back({(uint64_t)to, true});
    op.run = [=, pending = pend(target)] {
        Code code = whole(from, size, "a copy to the host");
        return code ? code : copy_now(to, (const void*)from, size, "a copy to the host");
    };
    if (Code code = queue(stream, std::move(op))) return code;
    if (!target && !stream->capture) {
        wait_for(lock, stream);
        return stream->context->failed;
    }
    return OK;
}

static Code copy_within(uint64_t to, uint64_t from, size_t size, void* handle, const char* what, bool across) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    auto source = holding(from), target = holding(to);
    if (!across && source && target && source->device != target->device) {
        violated("a copy within a device is between two");
        return INVALID_VALUE;
    }
    if (source == target && std::max(to, from) < std::min(to, from) + size) violated("a copy overlaps itself");
    Op op;
    op.what = what;
    op.uses = {{to, true}, {from, false}};
    if (source == target) op.uses.pop_back();
    op.run = [=] {
        Code code = whole(to, size, what);
        if (code == OK) code = whole(from, size, what);
        return code ? code : copy_now((void*)to, (const void*)from, size, what);
    };
    return queue(stream, std::move(op));
}

Code cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void* handle) {
    return copy_within(to, from, size, handle, "a copy on the device", false);
}

Code cuMemcpyPeerAsync(uint64_t to, void* to_context, uint64_t from, void* from_context, size_t size, void* handle) {
    {
        Lock lock(world().lock);
        if (!known(world().contexts, to_context, "context") || !known(world().contexts, from_context, "context")) {
            return INVALID_CONTEXT;
        }
        auto source = holding(from), target = holding(to);
        if (!source || !target || source->device != ((Context*)from_context)->device ||
            target->device != ((Context*)to_context)->device) {
            violated("a copy between devices names the wrong contexts");
            return INVALID_VALUE;
        }
    }
    return copy_within(to, from, size, handle, "a copy between devices", true);
}

Code cuMemsetD8Async(uint64_t to, unsigned char value, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "setting memory";
    op.uses = {{to, true}};
    op.run = [=] {
        Code code = whole(to, size, "setting memory");
        if (code == OK) memset((void*)to, value, size);
        return code;
    };
    return queue(stream, std::move(op));
}

// Streams and events.

Code cuStreamCreate(void** stream, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags > 1) return INVALID_VALUE;
    *stream = make_stream(context);
    return OK;
}

Code cuStreamCreateWithPriority(void** stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }

Code cuStreamDestroy_v2(void* handle) {
    World& w = world();
    Lock lock(w.lock);
    if (!handle || !known(w.streams, handle, "stream")) return INVALID_HANDLE;
    Stream* stream = (Stream*)handle;
    Code code = stream->context->failed;
    if (stream->capture) stream->capture->invalid = true;
    w.streams.erase(handle);
    stream->destroyed = true;
    w.changed.notify_all();
    return code;
}

Code cuStreamSynchronize(void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured is waited for");
        return CAPTURE_UNSUPPORTED;
    }
    wait_for(lock, stream);
    return stream->context->failed;
}

Code cuStreamQuery(void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured is asked how far it is");
        return CAPTURE_UNSUPPORTED;
    }
    if (!stream->queue.empty()) return NOT_READY;
    heard(stream->clock);
    return OK;
}

Code cuEventCreate(void** event, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags > 3) return INVALID_VALUE;
    Event* made = new Event{};
    made->context = context;
    made->flags = flags;
    world().events.insert(made);
    *event = made;
    return OK;
}

Code cuEventDestroy_v2(void* handle) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Code code = ((Event*)handle)->context->failed;
    world().events.erase(handle);
    delete (Event*)handle;
    return code;
}

Code cuEventRecord(void* handle, void* on) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Event* event = (Event*)handle;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (event->context != stream->context) {
        violated("an event of one context is recorded on a stream of another");
        return INVALID_HANDLE;
    }
    if (stream->capture) {
        if (stream->capture->invalid) return CAPTURE_INVALIDATED;
        event->capture = stream->capture;
        event->captured = stream->tail;
        event->was_captured = true;
        event->mark = nullptr;
        return OK;
    }
    event->was_captured = false;
    event->mark = std::make_shared<Mark>();
    Op op;
    op.what = "an event";
    op.mark = event->mark;
    return queue(stream, std::move(op));
}

Code cuEventRecordWithFlags(void* handle, void* on, unsigned) { return cuEventRecord(handle, on); }

Code cuStreamWaitEvent(void* on, void* handle, unsigned flags) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Event* event = (Event*)handle;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (flags) return INVALID_VALUE;
    if (event->was_captured) {
        auto capture = event->capture.lock();
        if (!capture) {
            violated("an event is waited for that was recorded in a capture that has ended");
            return CAPTURED_EVENT;
        }
        if (capture->invalid) return CAPTURE_INVALIDATED;
        if (stream->capture && stream->capture != capture) {
            stream->capture->invalid = capture->invalid = true;
            violated("two captures are joined");
            return CAPTURE_MERGE;
        }
        stream->capture = capture;
        capture->streams.insert(stream);
        for (size_t node : event->captured)
            if (std::find(stream->tail.begin(), stream->tail.end(), node) == stream->tail.end()) stream->tail.push_back(node);
        return OK;
    }
    if (!event->mark) return OK;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured waits for what is not captured");
        return CAPTURE_ISOLATION;
    }
    Op op;
    op.what = "a wait";
    op.wait = event->mark;
    return queue(stream, std::move(op));
}

static Code event_now(void* handle, Event*& event, const char* what) {
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    event = (Event*)handle;
    if (event->context->failed) return event->context->failed;
    if (event->was_captured) {
        if (auto capture = event->capture.lock()) capture->invalid = true;
        violated("%s of an event that was captured", what);
        return CAPTURED_EVENT;
    }
    return OK;
}

Code cuEventQuery(void* handle) {
    Lock lock(world().lock);
    Event* event;
    if (Code code = event_now(handle, event, "a query")) return code;
    if (Code code = unsafe_now("cuEventQuery")) return code;
    if (!event->mark) return OK;
    if (!event->mark->done) return NOT_READY;
    heard(event->mark->clock);
    return event->context->failed;
}

Code cuEventSynchronize(void* handle) {
    Lock lock(world().lock);
    Event* event;
    if (Code code = event_now(handle, event, "waiting for")) return code;
    Context* context = event->context;
    auto mark = event->mark;
    if (!mark) return OK;
    world().changed.wait(lock, [&] { return mark->done; });
    heard(mark->clock);
    return context->failed;
}

Code cuEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
    Lock lock(world().lock);
    Event *a, *b;
    if (Code code = event_now(start, a, "the time")) return code;
    if (Code code = event_now(end, b, "the time")) return code;
    if (!a->mark || !b->mark || (a->flags | b->flags) & 2 || a->context != b->context) {
        violated("times are asked of events that have none");
        return INVALID_HANDLE;
    }
    if (!a->mark->done || !b->mark->done) return NOT_READY;
    *milliseconds = std::chrono::duration<float, std::milli>(b->mark->time - a->mark->time).count();
    return OK;
}

Code cuEventElapsedTime(float* milliseconds, void* start, void* end) { return cuEventElapsedTime_v2(milliseconds, start, end); }

Code cuLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    Op op;
    op.what = "a host function";
    op.run = [=] {
        {
            Lock lock(world().lock);
            heard(stream->clock);
        }
        function(data);
        return OK;
    };
    return queue(stream, std::move(op));
}

// Programs.

Code cuModuleLoadData(void** module, const void* image) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuModuleLoadData")) return code;
    const char* text = (const char*)image;
    const char* line = strchr(text, '\n');
    if (!line || strncmp(text, "// compiled for this machine", 28)) return INVALID_IMAGE;
    std::string file(line + 1);
    file.resize(file.find_last_not_of('\n') + 1);
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "stand-in for CUDA: %s\n", dlerror());
        return INVALID_IMAGE;
    }
    Module* made = new Module{context, library, file};
    world().modules.insert(made);
    *module = made;
    return OK;
}

// What was loaded stays: launches that are queued may still need it.
Code cuModuleUnload(void* module) {
    Lock lock(world().lock);
    if (!known(world().modules, module, "module")) return INVALID_HANDLE;
    if (Code code = unsafe_now("cuModuleUnload")) return code;
    world().modules.erase(module);
    for (auto i = world().functions.begin(); i != world().functions.end();)
        i = ((Function*)*i)->module == module ? world().functions.erase(i) : std::next(i);
    return OK;
}

Code cuModuleGetFunction(void** function, void* handle, const char* name) {
    Lock lock(world().lock);
    if (!known(world().modules, handle, "module")) return INVALID_HANDLE;
    Module* module = (Module*)handle;
    if (module->context->failed) return module->context->failed;
    auto symbol = [&](const char* kind) { return dlsym(module->library, (std::string("stand_in_") + kind + "_" + name).c_str()); };
    if (!symbol("one")) return NOT_FOUND;
    Function* made = new Function;
    made->module = module;
    made->name = name;
    made->arguments = (const Argument*)symbol("arguments");
    made->count = *(unsigned*)symbol("count");
    made->bounds = *(unsigned*)symbol("bounds");
    made->waits = *(unsigned*)symbol("waits");
    made->shared = *(unsigned long*)symbol("shared");
    made->one = (void (*)(void*, void**))symbol("one");
    made->all = (void (*)(void*, void**, int))symbol("all");
    world().functions.insert(made);
    *function = made;
    return OK;
}

Code cuFuncGetAttribute(int* value, int attribute, void* handle) {
    Lock lock(world().lock);
    if (!known(world().functions, handle, "function")) return INVALID_HANDLE;
    Function* function = (Function*)handle;
    *value = attribute == 0 ? (int)function->bounds : attribute == 1 ? (int)function->shared : 0;
    return OK;
}

Code cuFuncSetAttribute(void* handle, int, int) {
    Lock lock(world().lock);
    return known(world().functions, handle, "function") ? OK : INVALID_HANDLE;
}

Code cuLaunchKernel(void* handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
    void* on, void** values, void** extra) {
    World& w = world();
    Lock lock(w.lock);
    if (!known(w.functions, handle, "function")) return INVALID_HANDLE;
    Function* function = (Function*)handle;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (function->module->context != stream->context) {
        violated("%s is launched in another context than it was loaded in", function->name.c_str());
        return INVALID_HANDLE;
    }
    if (!gx || !gy || !gz || gx > 2147483647u || gy > 65535 || gz > 65535 || !bx || !by || !bz || bx > 1024 || by > 1024 ||
        bz > 64 || extra || (!values && function->count)) {
        violated("%s is launched with %u, %u, %u blocks of %u, %u, %u", function->name.c_str(), gx, gy, gz, bx, by, bz);
        return INVALID_VALUE;
    }
    if (bx * by * bz > std::min(function->bounds, 1024u) || function->shared + shared > MOST_SHARED) {
        violated("%s is launched with blocks of %u, its bounds are %u", function->name.c_str(), bx * by * bz, function->bounds);
        return OUT_OF_RESOURCES;
    }
    if (fails("refuse", w.refusals)) return OUT_OF_RESOURCES;
    auto launch = std::make_shared<Launch>();
    launch->function = function;
    launch->grid = {gx, gy, gz};
    launch->block = {bx, by, bz};
    launch->dynamic = shared;
    Op op;
    op.what = function->name.c_str();
    for (unsigned i = 0; i < function->count; i++) {
        const Argument& argument = function->arguments[i];
        launch->values.emplace_back((char*)values[i], (char*)values[i] + argument.size);
        if (!argument.kind) continue;
        uint64_t address;
        memcpy(&address, values[i], sizeof address);
        auto found = holding(address);
        if (found && !reachable(stream, *found)) {
            violated("%s uses memory of a device that it has no access to", function->name.c_str());
            return INVALID_VALUE;
        }
        op.uses.push_back({address, argument.kind == 2});
    }
    op.run = [launch, &w] {
        uint64_t seed;
        {
            Lock lock(w.lock);
            if (fails("launch", w.launches)) return (Code)ILLEGAL_ADDRESS;
            seed = w.seed * 7919 + w.launches;
        }
        return launch->run(seed);
    };
    return queue(stream, std::move(op));
}

// Graphs.

Code cuStreamBeginCapture_v2(void* handle, int mode) {
    World& w = world();
    Lock lock(w.lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!handle || stream->capture || mode < 0 || mode > 2) {
        violated("a stream cannot be captured");
        return CAPTURE_UNSUPPORTED;
    }
    auto capture = std::make_shared<Capture>();
    capture->origin = stream;
    capture->thread = std::this_thread::get_id();
    capture->mode = mode;
    capture->streams.insert(stream);
    stream->capture = capture;
    stream->tail.clear();
    w.captures.push_back(capture);
    return OK;
}

Code cuStreamEndCapture(void* handle, void** graph) {
    World& w = world();
    Lock lock(w.lock);
    *graph = nullptr;
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    auto capture = stream->capture;
    if (!capture) {
        violated("a capture ends that did not begin");
        return INVALID_VALUE;
    }
    if (capture->origin != stream) {
        capture->invalid = true;
        violated("a capture ends on another stream than it began on");
        return CAPTURE_UNMATCHED;
    }
    if (capture->mode != 2 && capture->thread != std::this_thread::get_id()) {
        violated("a capture ends on another thread than it began on");
        return CAPTURE_WRONG_THREAD;
    }
    // What the last of this stream comes after.
    std::vector<bool> joined(capture->nodes.size());
    std::vector<size_t> open = stream->tail;
    while (!open.empty()) {
        size_t node = open.back();
        open.pop_back();
        if (joined[node]) continue;
        joined[node] = true;
        open.insert(open.end(), capture->nodes[node].after.begin(), capture->nodes[node].after.end());
    }
    bool all = true;
    for (Stream* one : capture->streams) {
        if (!w.streams.count(one)) continue;
        for (size_t node : one->tail) all = all && joined[node];
        one->capture = nullptr;
        one->tail.clear();
    }
    w.captures.erase(std::remove_if(w.captures.begin(), w.captures.end(),
                         [&](auto& weak) { return weak.expired() || weak.lock() == capture; }),
        w.captures.end());
    if (capture->invalid) return CAPTURE_INVALIDATED;
    if (!all) {
        violated("a captured stream was not joined");
        return CAPTURE_UNJOINED;
    }
    Graph* made = new Graph{std::move(capture->nodes)};
    w.graphs.insert(made);
    *graph = made;
    return OK;
}

Code cuStreamIsCapturing(void* handle, int* status) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
    return OK;
}

Code cuGraphGetNodes(void* handle, void** nodes, size_t* count) {
    Lock lock(world().lock);
    if (!known(world().graphs, handle, "graph")) return INVALID_VALUE;
    if (nodes) return INVALID_VALUE;
    *count = ((Graph*)handle)->nodes.size();
    return OK;
}

Code cuGraphInstantiateWithFlags(void** exec, void* handle, unsigned long long) {
    World& w = world();
    Lock lock(w.lock);
    if (!known(w.graphs, handle, "graph")) return INVALID_VALUE;
    Graph& graph = *(Graph*)handle;
    // What comes before each node, directly or not, and whether nodes that use the same memory are ordered.
    size_t count = graph.nodes.size();
    std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
    for (size_t i = 0; i < count; i++) {
        for (size_t one : graph.nodes[i].after) {
            before[i][one] = true;
            for (size_t j = 0; j < one; j++)
                if (before[one][j]) before[i][j] = true;
        }
        for (const Use& use : graph.nodes[i].uses) {
            auto found = holding(use.address);
            for (size_t j = 0; found && j < i; j++) {
                if (before[i][j]) continue;
                for (const Use& other : graph.nodes[j].uses)
                    if ((use.writes || other.writes) && holding(other.address) == found)
                        violated("in a graph %s and %s use the same memory, with nothing to order them", graph.nodes[i].what,
                            graph.nodes[j].what);
            }
        }
    }
    auto made = new std::shared_ptr<Graph>(std::make_shared<Graph>(graph));
    w.execs.insert(made);
    *exec = made;
    return OK;
}

Code cuGraphLaunch(void* handle, void* on) {
    World& w = world();
    Lock lock(w.lock);
    if (!known(w.execs, handle, "executable graph")) return INVALID_VALUE;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a graph is launched on a stream that is captured, which is not done here");
        return CAPTURE_UNSUPPORTED;
    }
    auto graph = *(std::shared_ptr<Graph>*)handle;
    Op op;
    op.what = "a graph";
    std::map<uint64_t, bool> uses;
    for (const Node& node : graph->nodes)
        for (const Use& use : node.uses)
            if (auto found = holding(use.address)) uses[found->start] = uses[found->start] || use.writes;
    for (auto& [address, writes] : uses) op.uses.push_back({address, writes});
    op.run = [graph, &w]() -> Code {
        // In an order that is possible, another one each time.
        std::vector<bool> done(graph->nodes.size());
        for (size_t left = done.size(); left;) {
            std::vector<size_t> ready;
            for (size_t i = 0; i < done.size(); i++) {
                auto& after = graph->nodes[i].after;
                if (!done[i] && std::all_of(after.begin(), after.end(), [&](size_t one) { return done[one]; })) ready.push_back(i);
            }
            size_t next = ready[shuffled(w.seed + left) % ready.size()];
            if (Code code = graph->nodes[next].run()) return code;
            done[next] = true;
            left--;
        }
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuGraphUpload(void* handle, void*) {
    Lock lock(world().lock);
    return known(world().execs, handle, "executable graph") ? OK : INVALID_VALUE;
}

Code cuGraphExecDestroy(void* handle) {
    Lock lock(world().lock);
    if (!known(world().execs, handle, "executable graph")) return INVALID_VALUE;
    world().execs.erase(handle);
    delete (std::shared_ptr<Graph>*)handle;
    return OK;
}

Code cuGraphDestroy(void* handle) {
    Lock lock(world().lock);
    if (!known(world().graphs, handle, "graph")) return INVALID_VALUE;
    world().graphs.erase(handle);
    delete (Graph*)handle;
    return OK;
}

Code cuThreadExchangeStreamCaptureMode(int* mode) {
    thread_local int now = 0;
    std::swap(now, *mode);
    return OK;
}
}
