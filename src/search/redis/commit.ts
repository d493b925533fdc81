/**
 * An atomic step in Redis: a script that either compares the checkpoint of a build and writes, or reads the inputs of a
 * commit together with the checkpoint. It blocks the server while it runs, so it is kept short.
 *
 * A commit may use only data that was read at its expected checkpoint. Comparing the checkpoint when writing is not
 * enough, because another process's commit may have moved the build to that checkpoint after the read. All inputs of a
 * commit are therefore read by `readAt`.
 */
import { type Arg, type Redis, script } from '../../storage/redis-connection.ts';

export type RedisCommand = readonly Arg[];

/**
 * Maximum number of commands in a step. A step with 20 chunks blocks an idle machine with two cores for 8 ms; a busy or
 * slower machine takes several times as long.
 */
export const commandsMax = 40;

const stepScript = script(`
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

/** Runs read-only commands and returns the build's checkpoint at that moment. */
const readScript = script(`
local found = { redis.call('HGET', KEYS[1], ARGV[1] .. ':at') }
local i = 2
while i <= #ARGV do
  local n = tonumber(ARGV[i])
  found[#found + 1] = redis.call(unpack(ARGV, i + 1, i + n))
  i = i + n + 1
end
return found`);

/** Maximum number of read commands in a step; they block the server for about a millisecond. */
const readMax = 250;

/** The build to write, and its expected checkpoint. */
export interface Step {
  /** The hash that lists the projection's builds. */
  key: string;
  build: string;
  /** The stored checkpoint; empty if there is none. */
  expected: string;
}

/** Runs the commands if the build is at the expected checkpoint. If the new checkpoint is null, it stays unchanged. */
export async function runStep(
  redis: Redis,
  { key, build, expected }: Step,
  checkpoint: string | null,
  commands: readonly RedisCommand[],
): Promise<boolean> {
  const args: Arg[] = [build, expected, checkpoint ?? ''];
  for (const command of commands) {
    args.push(String(command.length));
    for (const arg of command) args.push(arg);
  }
  return (await redis.run<number>(stepScript, key, ...args)) === 1;
}

/** The build is not at the expected checkpoint, so the data read from it is invalid. */
export class BuildMoved extends Error {}

/**
 * The replies to commands on a build, in order. An HGETALL reply is a list of names and values. Rejects with BuildMoved
 * if the build is gone or not at the expected checkpoint, and with the failures of the connection.
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

/** Converts the HGETALL reply of a step to a record. */
export function fieldsOf(reply: unknown): Record<string, string> {
  const list = reply as string[];
  const fields: Record<string, string> = {};
  for (let i = 0; i < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return fields;
}
