import { hostileDoors } from './doors.contract.ts';

hostileDoors('the data folder', () => ({}), { random: 0.01 });
