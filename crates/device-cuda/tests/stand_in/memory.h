// Memory that detects invalid accesses.

#pragma once
#include "world.h"

namespace {
// Memory accesses that fault, on the threads of streams.

thread_local sigjmp_buf* landing = nullptr;
thread_local uint64_t fault_at = 0;
thread_local int fault_signal = 0;
struct sigaction before_segv, before_bus, before_fpe;

#if defined(__x86_64__)
// Continues after an integer division that faults, which it does not on a graphics processor: the minimum divided by -1
// is itself, and division by zero gives all bits, and the dividend as the remainder.
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
    // The minimum is that of its width: only -1 can have been the divisor then.
    bool least = kind == 7 && (wide ? low == 1ull << 63 : (uint32_t)low == 1u << 31) && registers[REG_RDX] != 0;
    // The minimum is divided by zero like any other value; the result differs here, which is allowed.
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

// Calls code that may fault.
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
    // The end is at the end of a page, so that nothing beyond it can be accessed.
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
} // namespace
