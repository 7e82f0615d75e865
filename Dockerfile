# The service with its pages. Needs a directory to write to at DATA_DIR and one at /tmp; everything else may be read-only.
FROM node:24-bookworm AS build
WORKDIR /service
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /service
COPY --from=build /service/package.json ./
COPY --from=build /service/node_modules ./node_modules
COPY --from=build /service/assets ./assets
COPY --from=build /service/samples ./samples
COPY --from=build /service/dist ./dist
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data UV_THREADPOOL_SIZE=16 MAX_HEAP_MB=2000
USER node
VOLUME /data
EXPOSE 3000
# The flags of `npm start`, which would look for sources to build.
CMD ["sh", "-c", "exec node --max-semi-space-size=8 --max-old-space-size=$MAX_HEAP_MB --heap-growing-percent=50 dist/main.js"]
