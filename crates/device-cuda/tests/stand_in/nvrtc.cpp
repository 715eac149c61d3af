// A stand-in for NVRTC: programs are compiled for this machine's processor, into libraries that the stand-in for the
// driver loads. What it returns as PTX names the library.

#include "driver.h"
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {
const char SHIM[] =
#include "shim.inc"
    ;

enum Result { SUCCESS = 0, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6, INTERNAL = 11 };

struct Program {
    std::string source, name, log, ptx;
    bool for_card = false;
};

const size_t MOST_SHARED = 48 << 10;

std::string folder() {
    const char* given = getenv("LEVADA_STAND_IN_CACHE");
    return given ? given : "/tmp";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

std::string trimmed(const std::string& text) {
    size_t start = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
    return start == std::string::npos ? "" : text.substr(start, end - start + 1);
}

// Where the parenthesis that opens at `at` closes.
size_t closing(const std::string& text, size_t at) {
    int depth = 0;
    for (; at < text.size(); at++) {
        if (text[at] == '(') depth++;
        if (text[at] == ')' && --depth == 0) return at;
    }
    return std::string::npos;
}

struct Kernel {
    std::string name, bounds;
    std::vector<std::string> types;
    bool waits = false;
};

// The types of a kernel's parameters.
std::vector<std::string> types(const std::string& list) {
    std::vector<std::string> found;
    size_t start = 0;
    while (start <= list.size()) {
        size_t end = list.find(',', start);
        if (end == std::string::npos) end = list.size();
        std::string one = trimmed(list.substr(start, end - start));
        start = end + 1;
        if (one.empty()) continue;
        size_t name = one.size();
        while (name > 0 && (isalnum((unsigned char)one[name - 1]) || one[name - 1] == '_')) name--;
        one = trimmed(one.substr(0, name));
        replace(one, "__restrict__", "");
        found.push_back(one);
    }
    return found;
}

// Translates a CUDA source to C++; returns what is wrong with it, or nothing.
std::string translate(std::string source, std::string& out) {
    replace(source, "asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h));", "x = stand_in_from_half(h);");
    replace(source, "asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(x));", "h = stand_in_to_half(x);");
    replace(source, "static __device__", "__device__");
    replace(source, "extern \"C\"", "");
    std::vector<Kernel> kernels;
    for (size_t at = 0; (at = source.find("__global__", at)) != std::string::npos;) {
        source.replace(at, strlen("__global__"), "");
        Kernel kernel;
        size_t open = source.find('(', at);
        size_t bounds = source.find("__launch_bounds__", at);
        if (bounds < open) {
            kernel.bounds = source.substr(open + 1, closing(source, open) - open - 1);
            open = source.find('(', closing(source, open));
        }
        if (open == std::string::npos) return "a kernel without parameters";
        size_t end = open;
        while (isspace((unsigned char)source[end - 1])) end--;
        size_t start = end;
        while (isalnum((unsigned char)source[start - 1]) || source[start - 1] == '_') start--;
        kernel.name = source.substr(start, end - start);
        size_t close = closing(source, open);
        kernel.types = types(source.substr(open + 1, close - open - 1));
        kernels.push_back(kernel);
        at = close;
    }
    if (kernels.empty()) return "no kernel";
    bool waits = source.find("__syncthreads") != std::string::npos;
    // Shared arrays are parts of the block's memory.
    std::string sizes = "0";
    for (size_t at = 0; (at = source.find("__shared__", at)) != std::string::npos;) {
        size_t end = source.find(';', at);
        std::string text = trimmed(source.substr(at + 10, end - at - 10));
        size_t bracket = text.find('[');
        if (bracket == std::string::npos) return "a shared variable that is no array: " + text;
        size_t name = bracket;
        while (name > 0 && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_')) name--;
        std::string type = trimmed(text.substr(0, name)), called = text.substr(name, bracket - name), dims = text.substr(bracket);
        std::string made = type + " (&" + called + ")" + dims + " = *reinterpret_cast<" + type + "(*)" + dims +
            ">(this->shared + (" + sizes + "));";
        source.replace(at, end - at + 1, made);
        at += made.size();
        sizes += " + (sizeof(" + type + dims + ") + 15) / 16 * 16";
    }
    out = std::string(SHIM) + "struct StandInProgram : StandInInvocation {\n#line 1 \"program.cu\"\n" + source + "};\n";
    // Types of the program itself, such as its short names.
    out += "struct StandInSizes : StandInProgram { static const unsigned long SHARED = " + sizes + "; };\n";
    out += "static_assert(StandInSizes::SHARED <= " + std::to_string(MOST_SHARED) + ", \"too much shared memory\");\n";
    for (const Kernel& k : kernels) {
        std::string call = "p->" + k.name + "(", table;
        for (size_t i = 0; i < k.types.size(); i++) {
            const std::string& type = k.types[i];
            call += (i ? ", " : "") + std::string("*(T") + std::to_string(i) + "*)a[" + std::to_string(i) + "]";
            bool pointer = type.find('*') != std::string::npos, constant = type.find("const") != std::string::npos;
            table += "    static const unsigned K" + std::to_string(i) + " = " + (pointer ? constant ? "1" : "2" : "0") + ";\n";
            table += "    typedef " + type + " T" + std::to_string(i) + ";\n";
        }
        call += ");";
        std::string s = "struct StandIn_" + k.name + " : StandInProgram {\n" + table +
            "    static void one(void* i, void** a) { auto p = (StandInProgram*)i; " + call + " }\n";
        // Without barriers the invocations of a block run one after the other.
        s += "    static void all(void* i, void** a, int back) {\n        auto p = (StandInProgram*)i;\n"
             "        unsigned n = p->blockDim.x * p->blockDim.y * p->blockDim.z;\n"
             "        for (unsigned t = 0; t < n; t++) {\n            unsigned at = back ? n - 1 - t : t;\n"
             "            p->threadIdx.x = at % p->blockDim.x;\n"
             "            p->threadIdx.y = at / p->blockDim.x % p->blockDim.y;\n"
             "            p->threadIdx.z = at / p->blockDim.x / p->blockDim.y;\n            " + call + "\n        }\n    }\n};\n";
        s += "extern \"C\" {\nextern const struct { unsigned size, kind; } stand_in_arguments_" + k.name + "[] = {";
        for (size_t i = 0; i < k.types.size(); i++) {
            std::string n = std::to_string(i), in = "StandIn_" + k.name + "::";
            s += "{sizeof(" + in + "T" + n + "), " + in + "K" + n + "}, ";
        }
        s += "{0, 0}};\nextern const unsigned stand_in_count_" + k.name + " = " + std::to_string(k.types.size()) + ";\n";
        s += "extern const unsigned long stand_in_shared_" + k.name + " = StandInSizes::SHARED;\n";
        s += "extern const unsigned stand_in_bounds_" + k.name + " = " + (k.bounds.empty() ? "1024" : k.bounds) + ";\n";
        s += "extern const unsigned stand_in_waits_" + k.name + " = " + (waits ? "1" : "0") + ";\n";
        s += "void stand_in_one_" + k.name + "(void* i, void** a) { StandIn_" + k.name + "::one(i, a); }\n";
        s += "void stand_in_all_" + k.name + "(void* i, void** a, int back) { StandIn_" + k.name + "::all(i, a, back); }\n}\n";
        out += s;
    }
    return "";
}

std::string read(const std::string& path) {
    std::string text;
    if (FILE* file = fopen(path.c_str(), "r")) {
        char part[4096];
        for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
        fclose(file);
    }
    return text;
}

// A number for a text, twice 64 bits.
std::string number(const std::string& text) {
    uint64_t a = 14695981039346656037ull, b = 0x9e3779b97f4a7c15ull;
    for (unsigned char c : text) {
        a = (a ^ c) * 1099511628211ull;
        b = (b + c) * 0xbf58476d1ce4e5b9ull;
        b ^= b >> 29;
    }
    char out[40];
    snprintf(out, sizeof out, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
    return out;
}

// Compiles a source into a library; returns the compiler's messages if it refuses.
std::string build(const std::string& source, const std::string& library) {
    std::string made = library + "." + std::to_string(getpid()) + "." + std::to_string(gettid());
    std::string file = made + ".cpp", said = made + ".log";
    FILE* out = fopen(file.c_str(), "w");
    if (!out) return "cannot write " + file;
    fwrite(source.data(), 1, source.size(), out);
    fclose(out);
    const char* given = getenv("LEVADA_STAND_IN_CXX");
    std::vector<std::string> words = {given ? given : "c++", "-std=gnu++17", "-O1", "-w", "-fPIC", "-shared", "-fno-exceptions",
        "-fno-rtti", "-nostdlib", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-o", made, file, "-l:libm.so.6"};
    std::vector<char*> args;
    for (std::string& word : words) args.push_back(&word[0]);
    args.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child;
    int spawned = posix_spawnp(&child, args[0], &actions, nullptr, args.data(), environ), status = 0;
    posix_spawn_file_actions_destroy(&actions);
    if (spawned) return "the compiler does not start";
    while (waitpid(child, &status, 0) < 0) {}
    std::string log = read(said);
    unlink(said.c_str());
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        if (!getenv("LEVADA_STAND_IN_KEEP")) unlink(file.c_str());
        return log.empty() ? "the compiler failed" : log;
    }
    if (!getenv("LEVADA_STAND_IN_KEEP")) unlink(file.c_str());
    if (rename(made.c_str(), library.c_str())) return "cannot rename " + made;
    return "";
}
// The newest compute capability that it supports.
int newest() {
    const char* given = getenv("LEVADA_STAND_IN_NEWEST");
    return given ? atoi(given) : 90;
}
} // namespace

extern "C" {
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return SUCCESS;
}

int nvrtcGetSupportedArchs(int* known) {
    known[0] = 75;
    known[1] = newest();
    return SUCCESS;
}

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return SUCCESS;
}

const char* nvrtcGetErrorString(int) { return "the stand-in for NVRTC failed"; }

int nvrtcCreateProgram(void** program, const char* source, const char* name, int headers, const char* const*, const char* const*) {
    if (!program || !source || headers) return INVALID_INPUT;
    *program = new Program{source, name ? name : "default_program", "", ""};
    return SUCCESS;
}

int nvrtcDestroyProgram(void** program) {
    if (!program || !*program) return INVALID_PROGRAM;
    delete (Program*)*program;
    *program = nullptr;
    return SUCCESS;
}

int nvrtcCompileProgram(void* handle, int count, const char* const* options) {
    if (!handle) return INVALID_PROGRAM;
    Program* program = (Program*)handle;
    bool aimed = false;
    for (int i = 0; i < count; i++) {
        std::string option = options[i];
        bool known = option.rfind("--std=c++", 0) == 0 || option.rfind("--fmad=", 0) == 0 || option.rfind("--ftz=", 0) == 0 ||
            option.rfind("--prec-", 0) == 0 || option == "--use_fast_math" || option == "--extra-device-vectorization";
        if (option.rfind("--gpu-architecture=", 0) == 0) {
            std::string target = option.substr(19);
            program->for_card = target == "sm_90";
            aimed = known = program->for_card || target == "compute_" + std::to_string(newest()) || target == "compute_80";
        }
        if (!known) {
            program->log = "unknown option " + option;
            return INVALID_OPTION;
        }
    }
    if (!aimed) {
        program->log = "no architecture";
        return INVALID_OPTION;
    }
    std::string source, wrong = translate(program->source, source);
    if (wrong.empty()) {
        std::string library = folder() + "/" + number(source) + ".so";
        struct stat there;
        if (stat(library.c_str(), &there)) wrong = build(source, library);
        program->ptx = "// compiled for this machine\n" + library + "\n";
    }
    if (!wrong.empty()) {
        program->log = program->name + ": " + wrong;
        return COMPILATION;
    }
    return SUCCESS;
}

int nvrtcGetPTXSize(void* handle, size_t* size) {
    if (!handle || ((Program*)handle)->ptx.empty()) return INVALID_PROGRAM;
    *size = ((Program*)handle)->ptx.size() + 1;
    return SUCCESS;
}

int nvrtcGetPTX(void* handle, char* out) {
    if (!handle || ((Program*)handle)->ptx.empty()) return INVALID_PROGRAM;
    memcpy(out, ((Program*)handle)->ptx.c_str(), ((Program*)handle)->ptx.size() + 1);
    return SUCCESS;
}

// Code for the card begins differently.
static std::string cubin(const Program& program) { return "// for this card" + program.ptx.substr(program.ptx.find('\n')); }

int nvrtcGetCUBINSize(void* handle, size_t* size) {
    if (!handle || ((Program*)handle)->ptx.empty()) return INVALID_PROGRAM;
    *size = ((Program*)handle)->for_card ? cubin(*(Program*)handle).size() + 1 : 0;
    return SUCCESS;
}

int nvrtcGetCUBIN(void* handle, char* out) {
    if (!handle || ((Program*)handle)->ptx.empty() || !((Program*)handle)->for_card) return INVALID_PROGRAM;
    strcpy(out, cubin(*(Program*)handle).c_str());
    return SUCCESS;
}

int nvrtcGetProgramLogSize(void* handle, size_t* size) {
    if (!handle) return INVALID_PROGRAM;
    *size = ((Program*)handle)->log.size() + 1;
    return SUCCESS;
}

int nvrtcGetProgramLog(void* handle, char* out) {
    if (!handle) return INVALID_PROGRAM;
    memcpy(out, ((Program*)handle)->log.c_str(), ((Program*)handle)->log.size() + 1);
    return SUCCESS;
}
}
