import { asOfContract } from './as-of.contract.ts';

asOfContract('the data folder');
