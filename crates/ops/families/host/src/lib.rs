//! Ops that call functions of the program that runs the session.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;

family! {
    py_func = EAGER_PY_FUNC, PY_FUNC;
}
