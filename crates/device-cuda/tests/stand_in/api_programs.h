// Calls about programs. It is part of cuda.cpp.

#pragma once

extern "C" {
Code cuModuleLoadData(void** module, const void* image) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuModuleLoadData")) return code;
    const char* text = (const char*)image;
    const char* line = strchr(text, '\n');
    bool is_ptx = !strncmp(text, "// compiled for this machine", 28);
    if (!line || !(is_ptx || !strncmp(text, "// for this card", 16))) return INVALID_IMAGE;
    if (is_ptx && world().old) return UNSUPPORTED_PTX;
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

// Loaded programs stay: queued launches may still need them.
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
}
