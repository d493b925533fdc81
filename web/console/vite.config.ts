/** The console's build: split by page, and compressed in advance. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

export default defineConfig({
  base: '/admin/',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(?:js|css)$/ })],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy forbids data: URLs for fonts and scripts, and our worker needs no polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    // For browsers that support light-dark(); its replacement would need a colour scheme that is set elsewhere.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Lists which file contains which texts; a test uses it to measure the first view.
    manifest: 'manifest.json',
    // The first file is large on purpose; a test limits the size of the first view.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file has everything for the first view: over HTTP/1.1, fifty small files would wait for each other.
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
