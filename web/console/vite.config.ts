/** The build of the console: split by page, compressed beforehand. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

export default defineConfig({
  base: '/admin/',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(?:js|css)$/ })],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows no data: fonts or scripts, and a worker of our own needs no polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    // Browsers that know light-dark(); for others its replacement would need a scheme that is set elsewhere.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Says which file has which texts; a test weighs the first view by it.
    manifest: 'manifest.json',
    // The first file is larger by intent; a test limits the weight of the first view.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first view needs comes in one file: over HTTP/1.1, fifty small ones wait for each other.
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
