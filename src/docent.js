#!/usr/bin/env node
/**
 * The entry point, in plain JavaScript that any Node version can run. If the caller's Node is older than 24, the
 * command runs on the Node version from the lock file, as a child process with the same terminal, signals and exit
 * status.
 */
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const majorMin = 24;
if (Number(process.versions.node.split('.')[0]) < majorMin) runOn(installedNode());
else await run();

async function run() {
  // If the launcher is killed, the command ends too. Without a launcher there is no channel.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  // Caches compiled code and stripped types between starts, also for worker threads. This halves the startup time and
  // saves 50 MB.
  const cache = module.enableCompileCache();
  if (cache.directory !== undefined) process.env.NODE_COMPILE_CACHE ??= cache.directory;
  const { main } = await import('./main.ts');
  await main(process.argv);
}

/** The Node from the installed packages; null if there is none for this platform. */
function installedNode() {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', windows ? 'node.exe' : 'node');
  } catch {
    return null;
  }
}

/** @param {string | null} node */
function runOn(node) {
  if (node === null) {
    process.stderr.write(
      `docent requires Node ${majorMin} or later; this is ${process.versions.node}. "npm ci" in the project's folder installs it for Linux and Windows.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.once('error', (error) => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  // A terminal sends Ctrl-C directly to the child; a second signal would end it immediately.
  const interactive = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => interactive || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (status, signal) => {
    process.exit(status ?? 128 + constants.signals[signal]);
  });
}
