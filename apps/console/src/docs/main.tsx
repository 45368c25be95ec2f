import '@fontsource-variable/inter/index.css';
import '../ui/tokens.css';
import './docs.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage } from '../ui/language.ts';
import { DocsApp } from './DocsApp.tsx';

loadLanguage();
const root = document.querySelector('#root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <DocsApp />
    </StrictMode>,
  );
