export { loadLogList } from './load.ts';
export { organizationLogList } from './logs.lists.ts';
export { type Said, useActionText } from './sentence.ts';
