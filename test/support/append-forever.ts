/** A separate process that appends to the history at argv[2] until it is killed, and prints each acknowledged id. */
import { note } from './events.ts';
import { openLogThread } from './log-thread.ts';

const log = openLogThread(process.argv[2]!);

async function writer(stream: string): Promise<void> {
  let revision = (await log.readStream(stream)).length - 1;
  for (;;) {
    const events = [note(stream), note('x'.repeat(2000))];
    ({ revision } = await log.append(stream, revision, events));
    process.stdout.write(events.map((e) => `${e.id}\n`).join(''));
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map(writer));
