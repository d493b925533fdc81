/** Debian's Chromium for tests in a real browser, and a page of another origin that embeds the widget. */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Why browser tests cannot run here; null if they can. */
export const missing = existsSync(executablePath) ? null : `there is no Chromium at ${executablePath}`;
if (missing) process.stderr.write(`The widget's tests in a browser are skipped: ${missing}.\n`);

/** How long a page may take for one action. Playwright's own limit of 30 s is too short for a busy machine. */
const patienceMs = 10 * 60_000;

export async function launch(): Promise<Browser> {
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  const browser = await chromium.launch({ executablePath, headless: true, args: quiet });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** A page that allows scripts and connections only from the service, and forbids inline styles and generated markup. */
export function foreignPage(service: string, attributes: string, body = ''): Server {
  const origin = new URL(service).origin;
  const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  return createServer((request, reply) => {
    if (request.url === '/page.css') {
      reply.setHeader('content-type', 'text/css');
      reply.end(
        'body { font: 17px/1.6 serif; margin: 48px; max-width: 40em } p, button, div { color: green }',
      );
      return;
    }
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    reply.setHeader('content-security-policy', policy);
    reply.end(`<!doctype html><html lang="en"><head><title>A portal</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/page.css"></head><body><h1>A portal of somebody else</h1>
<p>It has its own style and a strict policy about what may run.</p>${body}
<script src="${service}widget/docent.js" ${attributes} async></script></body></html>`);
  });
}

/** All errors that the browser reports while a page is open, except those for which `isExpected` is true. */
export function complaintsOf(page: Page, isExpected = (_text: string): boolean => false): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !isExpected(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
