/** What the service calls back with, and where. */
export * from './callback';
export * from './passAlong';
export * from './probe';
export * from './signature';
export * from './throttle';
export * from './triggerUrl';
export * from './webhookRequest';
