/**
 * Generates docs/configuration.md from the schema of the environment. `npm run docs` writes the page, and
 * test/docs.test.ts compares it.
 */
import { writeFileSync } from 'node:fs';
import { variables } from '../src/config.ts';

/** Each section begins with the given variable and contains those that follow it in the schema. */
const sections: readonly { from: keyof typeof variables; title: string }[] = [
  { from: 'HOST', title: 'Service and documents' },
  { from: 'DOCENT_DEFAULT_CORPUS', title: 'Access and addresses' },
  { from: 'EVENTSTOREDB_URL', title: 'Shared servers' },
  { from: 'DOCENT_SECRET', title: 'Personal data and sealing' },
  { from: 'COHERE_API_KEY', title: 'Language models' },
  { from: 'SLACK_BOT_TOKEN', title: 'Slack and Telegram' },
  { from: 'LOG_LEVEL', title: 'Log' },
];

const introduction = `# Configuration

Set these as environment variables, or in a \`.env\` file in the folder where the service starts. The environment takes precedence over the file. All errors are reported together, and the service does not start until they are fixed. Administrators see the settings without secrets at \`GET /admin/api/config\`.

This page is generated from \`src/config.ts\` by \`npm run docs\`. [\`.env.example\`](../.env.example) shows the common settings.`;

export function configurationPage(): string {
  const title = new Map(sections.map(({ from, title }) => [from as string, title]));
  const lines = Object.entries(variables).flatMap(([name, { default: fallback, about }]) => [
    ...(title.has(name)
      ? ['', `## ${title.get(name)}`, '', '| variable | default | meaning |', '|---|---|---|']
      : []),
    `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${about} |`,
  ]);
  return `${introduction}\n${lines.join('\n')}\n`;
}

if (import.meta.main)
  writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
