// In each worker of the project `embedded`, before its tests.
import { CLUSTER_VARIABLE, EMBEDDED_VARIABLE } from './database.ts';

process.env[CLUSTER_VARIABLE] = process.env[EMBEDDED_VARIABLE];
