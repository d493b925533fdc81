/** The chat platforms that a process serves: all configured ones, or a single one. */
import type { Connector } from '../../connectors/connector.ts';
import type { App } from '../app-port.ts';
import { type Config, trustedProxies } from '../config.ts';
import { Failure } from '../failures.ts';
import { openWebhookDoor } from '../http/webhooks.ts';
import { printMessage } from './output.ts';

export type ChatName = 'slack' | 'telegram';

/** Returns the configured connectors without starting them. Clients for other platforms are not loaded. */
export async function openChats(app: App, config: Config, only?: ChatName): Promise<Connector[]> {
  const connectors: Connector[] = [];
  if (config.TELEGRAM_BOT_TOKEN !== null && only !== 'slack') {
    const { openTelegram } = await import('../../connectors/telegram/index.ts');
    const { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = config;
    connectors.push(
      openTelegram(app, {
        token: config.TELEGRAM_BOT_TOKEN,
        apiUrl: config.TELEGRAM_API_URL,
        webhook: url === null || secret === null ? null : { url, secret },
        corporaByChat: config.TELEGRAM_CORPORA,
        opensSources: config.DOCENT_PUBLIC_URL !== null,
        onTrouble: printMessage,
        onNews: printMessage,
      }),
    );
  }
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = config;
  if (SLACK_BOT_TOKEN !== null && only !== 'telegram') {
    const { openSlack } = await import('../../connectors/slack/index.ts');
    connectors.push(
      openSlack(app, {
        token: SLACK_BOT_TOKEN,
        mode:
          SLACK_APP_TOKEN === null
            ? { signingSecret: SLACK_SIGNING_SECRET ?? '' }
            : { appToken: SLACK_APP_TOKEN },
        apiUrl: config.SLACK_API_URL,
        corporaByChat: config.SLACK_CORPORA,
        opensSources: config.DOCENT_PUBLIC_URL !== null,
        onTrouble: printMessage,
        onNews: printMessage,
      }),
    );
  }
  return connectors;
}

/** Fails with `invalid` if the platform is not configured. */
export function checkConfigured(config: Config, name: ChatName): void {
  const token = name === 'slack' ? 'SLACK_BOT_TOKEN' : 'TELEGRAM_BOT_TOKEN';
  if (config[token] === null) throw new Failure('invalid', `${token} is not set: see docs/${name}.md.`);
}

/** Answers on a single chat platform, without the HTTP server, until the process receives a termination signal. */
export async function answerChats(app: App, config: Config, name: ChatName): Promise<Closing> {
  const connectors = await openChats(app, config, name);
  const webhooks = connectors.flatMap(({ webhook }) => webhook ?? []);
  const { HOST: host, PORT: port } = config;
  const trustProxy = trustedProxies(config);
  const server = webhooks.length === 0 ? null : await openWebhookDoor({ host, port, trustProxy }, webhooks);
  for (const connector of connectors) connector.start();
  for (const { door } of connectors) printMessage(door);
  const address = server?.server.address();
  if (typeof address === 'object' && address)
    printMessage(`Docent is listening on http://${host}:${address.port}`);
  return async (drainMs) => {
    await closeChats(connectors, drainMs);
    await server?.close();
  };
}

export type Closing = (drainMs: number) => Promise<void>;

export async function closeChats(connectors: readonly Connector[], drainMs: number): Promise<void> {
  await Promise.all(connectors.map((connector) => connector.close(drainMs)));
}
