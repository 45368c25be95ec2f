import { configure } from '@testing-library/react';

// Before each file of tests. The library's bound of a second is a measure of the machine, and printing the page when it is over may fail.
configure({ asyncUtilTimeout: 30_000, getElementError: (message) => new Error(message?.split('\n')[0] ?? 'Not found.') });
