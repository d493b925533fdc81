/**
 * One atomic step on a Redis: a script that compares the checkpoint of a build and then writes, or reads together with
 * it what a commit is made from. While it runs the server does nothing else, so what it costs is reckoned beforehand
 * and kept short.
 *
 * A commit may build only on what was read at the very checkpoint it claims. A comparison when it is written does not
 * tell: by then the build may have come there by another process' commit, after it was read. So every read of what a
 * commit is made from goes through `readAt`.
 */
import { type Arg, type Redis, script } from './redis-connection.ts';

/** A command to run inside the step. */
export interface Command {
  args: Arg[];
  /** How long it holds the server, in ms as measured on an idle machine of two cores. */
  ms: number;
}

/** What one step may hold the server for, reckoned: a busy or slower machine takes a multiple of it. */
export const stepMs = 8;

/** Of a plain hash; of a hash in an index, and of each of its words beyond that. */
export const plainMs = 0.016;
export const indexedMs = 0.035;
export const wordMs = 0.0011;

export const stepScript = script(`
local at = redis.call('HGET', KEYS[1], ARGV[1] .. ':at')
if at ~= ARGV[2] then return 0 end
local i = 4
while i <= #ARGV do
  local n = tonumber(ARGV[i])
  redis.call(unpack(ARGV, i + 1, i + n))
  i = i + n + 1
end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], ARGV[1] .. ':at', ARGV[3]) end
return 1`);

/** Commands that only read, with the checkpoint that the build has while they do. */
export const readScript = script(`
local found = { redis.call('HGET', KEYS[1], ARGV[1] .. ':at') }
local i = 2
while i <= #ARGV do
  local n = tonumber(ARGV[i])
  found[#found + 1] = redis.call(unpack(ARGV, i + 1, i + n))
  i = i + n + 1
end
return found`);

/** Reading commands of one step: they hold the server for about a millisecond. */
const readMax = 250;

/** Which build is written, and where it must stand. */
export interface Step {
  /** The hash of the projection's builds. */
  key: string;
  build: string;
  /** The checkpoint as it is stored: empty for none. */
  expected: string;
}

/** Runs the commands if the build still stands where it is expected; null leaves the checkpoint there. */
export async function runStep(
  redis: Redis,
  { key, build, expected }: Step,
  checkpoint: string | null,
  commands: readonly Command[],
): Promise<boolean> {
  const args: Arg[] = [build, expected, checkpoint ?? ''];
  for (const command of commands) {
    args.push(String(command.args.length));
    for (const arg of command.args) args.push(arg);
  }
  return (await redis.run<number>(stepScript, key, ...args)) === 1;
}

/** Thrown where a build stands at another checkpoint than the one that was to be read: what was read is void. */
export class BuildMoved extends Error {}

/**
 * What the commands read of a build, in their order; the reply of HGETALL is a list of names and values. Rejects with
 * BuildMoved where the build does not have the expected checkpoint or is gone, and as the connection does.
 */
export async function readAt(
  redis: Redis,
  { key, build, expected }: Step,
  commands: readonly (readonly Arg[])[],
): Promise<unknown[]> {
  const steps: Promise<unknown[]>[] = [];
  for (let from = 0; from < Math.max(1, commands.length); from += readMax) {
    const args: Arg[] = [build];
    for (const command of commands.slice(from, from + readMax)) args.push(String(command.length), ...command);
    steps.push(redis.run<unknown[]>(readScript, key, ...args));
  }
  const found: unknown[] = [];
  for (const [at, ...replies] of await Promise.all(steps)) {
    if (at !== expected) throw new BuildMoved();
    for (const reply of replies) found.push(reply);
  }
  return found;
}

/** What HGETALL answers inside a step. */
export function fieldsOf(reply: unknown): Record<string, string> {
  const list = reply as string[];
  const fields: Record<string, string> = {};
  for (let i = 0; i < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return fields;
}

/** The commands in portions that each take one step. */
export function* portions(commands: readonly Command[]): Generator<Command[]> {
  let portion: Command[] = [];
  let ms = 0;
  for (const command of commands) {
    if (portion.length > 0 && ms + command.ms > stepMs) {
      yield portion;
      portion = [];
      ms = 0;
    }
    portion.push(command);
    ms += command.ms;
  }
  if (portion.length > 0) yield portion;
}
