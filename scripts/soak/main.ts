// `npm run soak [-- rounds]`: updates with kill -9 of routers, of one server and of its PostgreSQL. `npm run soak -- nodes`: several servers.
import { argv } from 'node:process';

if (argv[2] === 'nodes') await import('./nodes/main.ts');
else await import('./one-node.ts');
