/** Past read models on the command line: printing them, saving them, or comparing them with those of another moment. */
import { type Config, keysOf } from '../config.ts';
import { changesBetween, entriesOf, positionOf } from '../history/past.ts';
import { historyConfig } from '../workers/adapter-config.ts';
import { openLogAt } from '../workers/main-log.ts';
import { openPast, type PastModels, replayedNames } from '../workers/past-read-models.ts';
import { interrupted } from './commands.ts';
import { withLog } from './history.ts';
import { counted, print, printMessage } from './output.ts';

/** Builds the read models of a past moment. Prints them, or saves them to a folder that can be queried. */
export async function replayUntil(
  config: Config,
  { until, projection, out }: { until: string; projection?: string; out?: string },
): Promise<undefined> {
  const names = replayedNames(projection);
  await withLog(config, async (log) => {
    const position = await positionOf(log, '--until', until);
    const past = await openPast(log, position, {
      dataFolder: config.DOCENT_DATA,
      ...(out === undefined ? { names } : { out: { folder: out, keys: keysConfig(config) } }),
      signal: interrupted(),
    });
    try {
      if (out === undefined)
        for await (const { projection, name, value } of entriesOf(past, names))
          await print(`${projection}\t${name}\t${value}`);
    } finally {
      await past.close();
    }
    if (out !== undefined) await withoutKeys(config, out);
    printMessage(
      `Replayed ${counted(past.events, 'event')}, up to ${position}.${out === undefined ? '' : ` Query the copy with DOCENT_DATA=${out}.`}`,
    );
  });
}

const keysConfig = (config: Config) =>
  historyConfig(config.EVENTSTOREDB_URL ?? config.DOCENT_DATA, config.DOCENT_NAMESPACE, keysOf(config)).keys;

/** The keys of people's words are not copied. They are marked as lost in the copy, so that it can be queried. */
async function withoutKeys(config: Config, folder: string): Promise<void> {
  const { masterKey } = keysOf(config);
  const { keys, close } = await openLogAt(folder, '', { masterKey }, { keysMayMiss: true });
  await keys!.giveUpMissing().finally(close);
}

/** Prints the differences between the read models at two moments. */
export async function diff(
  config: Config,
  [from, to]: readonly [string, string],
  { projection, json }: { projection?: string; json?: boolean },
): Promise<undefined> {
  const names = replayedNames(projection);
  const signs = { surplus: '+', missing: '-', changed: '~' } as const;
  await withLog(config, async (log) => {
    const opened: PastModels[] = [];
    try {
      for (const moment of [from, to])
        opened.push(
          await openPast(log, await positionOf(log, `"${moment}", which is not a position,`, moment), {
            dataFolder: config.DOCENT_DATA,
            names,
            signal: interrupted(),
          }),
        );
      const [first, second] = opened as [PastModels, PastModels];
      for await (const change of changesBetween(first, second, names)) {
        const { projection, name, kind, fields } = change;
        if (json) await print(JSON.stringify(change));
        else
          await print(
            `${signs[kind]} ${projection}\t${name}${fields.length > 0 ? `\t${fields.join(', ')}` : ''}`,
          );
      }
    } finally {
      for (const past of opened.toReversed()) await past.close();
    }
  });
}
