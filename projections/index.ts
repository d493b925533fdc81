/** All projections. */
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { backfills } from './backfills.ts';
import { chats } from './chats.ts';
import { chunks } from './chunks.ts';
import { corpora } from './corpora.ts';
import { documents } from './documents.ts';
import { faq } from './faq.ts';
import { graph } from './graph.ts';
import { queries } from './queries.ts';
import { replies } from './replies.ts';
import type { Projection } from './runner.ts';
import { stats } from './stats.ts';

export const projections: readonly Projection[] = [
  corpora,
  documents,
  chunks,
  queries,
  stats,
  audit,
  apiKeys,
  backfills,
  faq,
  replies,
  chats,
  graph,
];
