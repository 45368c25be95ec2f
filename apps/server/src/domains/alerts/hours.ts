/** The hours of alert rules and people are those of the kernel, which windows of updates use too. */
export { checkHours, endOf, isWithin, nextStart } from '../../kernel/hours.ts';
