#!/usr/bin/env node
// Starts the callfit binary of this platform, with the same arguments, streams, signals and end.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;

/** The binary, which npm put beside this package as an optional dependency. */
function binary() {
  try {
    return require.resolve(`@callfit/${platform}/callfit`);
  } catch {
    const { optionalDependencies } = require("./package.json");
    const mend = optionalDependencies[`@callfit/${platform}`]
      ? "install again without --omit=optional, on this platform"
      : "there is none for this platform: `cargo install callfit` builds one";
    console.error(`callfit: the package @callfit/${platform} is missing; ${mend}`);
    process.exit(3);
  }
}

const child = spawn(binary(), process.argv.slice(2), { stdio: "inherit" });

// Asked to end, callfit first writes the report of what was done: this process stays until then.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}

child.on("error", (fault) => {
  console.error(`callfit: ${fault.message}`);
  process.exitCode = 3;
});

child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
  } else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
});
