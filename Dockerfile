# The image of Docent. Dependencies are installed in separate stages; the image contains only them and the sources. It
# brings its own Node, so the lock file's platform packages are omitted.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY web/console ./web/console
# The script `prepare` builds the console, which requires the development packages.
RUN npm ci --no-audit --no-fund

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Recognises scans. It has its own folder because optional packages are omitted above.
RUN npm install --prefix /recognise --omit=dev --no-audit --no-fund @llamaindex/liteparse@2.14.7

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DOCENT_DATA=/data NODE_COMPILE_CACHE=/tmp/compile
# Without this, each of a dozen threads would have its own malloc arena and keep the memory freed there.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
# Language data for recognising scans in Russian, Kazakh and English.
RUN apt-get update \
  && apt-get install -y --no-install-recommends tesseract-ocr-rus tesseract-ocr-kaz tesseract-ocr-eng \
  && rm -rf /var/lib/apt/lists/*
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=dependencies /recognise/node_modules/@llamaindex ./node_modules/@llamaindex
COPY package.json LICENSE ./
COPY src ./src
COPY connectors ./connectors
COPY projections ./projections
COPY tools/evaluation ./tools/evaluation
COPY web ./web
COPY --from=console /app/web/console/dist ./web/console/dist
COPY samples ./samples
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# The root file system may be read-only, because only /data and /tmp are written to.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "src/docent.js", "serve"]
