//! The bench: corpus kernels in every variant on one GPU, side by side, with the chip's limits.
//!
//! `cargo xtask bench` writes a bundle (`manifest`); the runner in it reads the bundle (`tasks`),
//! runs rows in a child process (`worker`: `measure`, `trial`, `choice`, `side`, `gate`, `buffers`, `lab`, `driver`, `cublas`), or their
//! first launches in a program (`first`), and makes tables and pictures of the results (`results`, `figures`, `stats`, `report`).

pub mod buffers;
pub mod choice;
pub mod compare;
pub mod cublas;
pub mod driver;
pub mod figures;
pub mod first;
pub mod gate;
pub mod lab;
pub mod manifest;
pub mod measure;
pub mod report;
pub mod results;
pub mod sanitize;
pub mod selftest;
pub mod side;
pub mod stats;
pub mod tasks;
pub mod timer;
pub mod trial;
pub mod worker;
