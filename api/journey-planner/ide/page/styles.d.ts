/** The bundler resolves style sheet imports. */
declare module '*.css';
