// Kernels on the processor: invocations of a block that wait for each other have separate stacks.

#pragma once
#include "streams.h"

namespace {
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

// Invocations of a block that wait for each other: each has a stack.
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
} // namespace
