#!/usr/bin/env node
// Plain JavaScript that an old Node can read too, so that it can say what is missing instead of failing on syntax.
import module from 'node:module';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `docent needs Node 24 or later, this is ${process.versions.node}. "npm ci" brings one: run "npx docent" or "npm start" in the project's folder.\n`,
  );
  process.exit(2);
}
// Compiled code and stripped types are kept between starts, for the worker threads too: half the time, 50 MB less.
const cache = module.enableCompileCache();
if (cache.directory !== undefined) process.env.NODE_COMPILE_CACHE ??= cache.directory;
const { main } = await import('./main.ts');
await main(process.argv);
