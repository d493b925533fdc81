import { transcriptContract } from './model-transcript.contract.ts';

transcriptContract('the data folder', () => ({}));
