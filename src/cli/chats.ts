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
  const shared = {
    opensSources: config.DOCENT_PUBLIC_URL !== null,
    onTrouble: printMessage,
    onNews: printMessage,
  };
  const { TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = config;
  if (TELEGRAM_BOT_TOKEN !== null && only !== 'slack') {
    const { openTelegram } = await import('../../connectors/telegram/index.ts');
    connectors.push(
      openTelegram(app, {
        ...shared,
        token: TELEGRAM_BOT_TOKEN,
        apiUrl: config.TELEGRAM_API_URL,
        webhook: url === null || secret === null ? null : { url, secret },
        corporaByChat: config.TELEGRAM_CORPORA,
      }),
    );
  }
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET } = config;
  if (SLACK_BOT_TOKEN !== null && only !== 'telegram') {
    const { openSlack } = await import('../../connectors/slack/index.ts');
    connectors.push(
      openSlack(app, {
        ...shared,
        token: SLACK_BOT_TOKEN,
        mode: appToken === null ? { signingSecret: SLACK_SIGNING_SECRET ?? '' } : { appToken },
        apiUrl: config.SLACK_API_URL,
        corporaByChat: config.SLACK_CORPORA,
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

/** Answers on a single chat platform, without the HTTP server. Returns the function that ends this. */
export async function answerChats(
  app: App,
  config: Config,
  name: ChatName,
): Promise<(drainMs: number) => Promise<void>> {
  const connectors = await openChats(app, config, name);
  const webhooks = connectors.flatMap(({ webhook }) => webhook ?? []);
  const { HOST: host, PORT: port } = config;
  const trustProxy = trustedProxies(config);
  const server = webhooks.length === 0 ? null : await openWebhookDoor({ host, port, trustProxy }, webhooks);
  for (const connector of connectors) {
    connector.start();
    printMessage(connector.door);
  }
  const address = server?.server.address();
  if (typeof address === 'object' && address)
    printMessage(`Docent is listening on http://${host}:${address.port}`);
  return async (drainMs) => {
    await closeChats(connectors, drainMs);
    await server?.close();
  };
}

export async function closeChats(connectors: readonly Connector[], drainMs: number): Promise<void> {
  await Promise.all(connectors.map((connector) => connector.close(drainMs)));
}
