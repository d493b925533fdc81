import { modelContract } from './model.contract.ts';

modelContract('the data folder');
