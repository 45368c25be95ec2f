export { PropertiesPanel } from './PropertiesPanel.tsx';
