/** Every text that people read. */
export * from './callbackMessages';
export * from './credentialMessages';
export * from './emailMessages';
export * from './fileMessages';
export * from './hints';
export * from './parameterMessages';
export * from './responseDetails';
export * from './serviceMessages';
export * from './taskMessages';
export * from './template';
