// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startI18n } from '../../../i18n/i18n.ts';
import { addMessages } from '../../../i18n/messages-for-tests.ts';
