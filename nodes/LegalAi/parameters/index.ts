/** Every kind of parameter, and what goes around it. */
export * from './binaryFields';
export * from './choice';
export * from './collection';
export * from './dateTime';
export * from './itemScope';
export * from './locator';
export * from './number';
export * from './parameter';
export * from './text';
