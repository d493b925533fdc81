/** A process that ingests the sample corpora into the data folder given as its argument, and exits. */
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { takeInSamples } from './samples.ts';

const app = await openApp(readConfig({ DOCENT_DATA: process.argv[2]! }, '/dev/null'), { asksSoon: false });
await takeInSamples(app);
await app.close();
