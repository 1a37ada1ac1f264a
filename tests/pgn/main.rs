//! Games in files: what python-chess reads of many small files, every reader here reads too; and what one part writes,
//! the others read.

mod commands;
mod table;
mod writers;
