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
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // The chart's library is the largest part, and only some pages need it.
        codeSplitting: {
          groups: [
            {
              name: 'charts',
              test: /node_modules\/(?:recharts|d3-[a-z-]+|victory-vendor|@mantine\/charts)\//,
            },
          ],
        },
      },
    },
  },
});
