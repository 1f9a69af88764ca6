# A small image that runs vouch as a user without rights.
#
#   npm pack                       makes vouch-VERSION.tgz, which is all that is copied from here
#   docker build -t vouch .
#   docker run --rm -p 4010:4010 -v "$PWD:/work:ro" vouch mock openapi.yaml --host 0.0.0.0
#   docker run --rm -v "$PWD:/work:ro" -e VOUCH_TOKEN vouch check https://staging.example.com openapi.yaml
#
# The project's tests hold what this file says against the package; they build no image, because they need no engine.
FROM node:24-alpine AS install
WORKDIR /opt/vouch
COPY vouch-*.tgz ./
# The client of Redis is for `--store`, which several mocks share.
RUN npm init --yes >/dev/null \
 && npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund ./vouch-*.tgz redis@6.3.1 \
 && rm vouch-*.tgz \
 && npm cache clean --force

FROM node:24-alpine
COPY --from=install /opt/vouch /opt/vouch
RUN ln -s /opt/vouch/node_modules/.bin/vouch /usr/local/bin/vouch \
 && mkdir -p /work /state \
 && chown node:node /work /state
# What runs leave for `vouch replay` and `vouch cleanup`: mount a volume to keep it.
ENV VOUCH_STATE_DIR=/state NODE_ENV=production
USER node
WORKDIR /work
EXPOSE 4010
STOPSIGNAL SIGTERM
# Inside a container 127.0.0.1 is the container alone: `vouch mock` needs `--host 0.0.0.0` for what -p publishes. The control
# API then still answers only to requests that name this machine (localhost, 127.0.0.1) and show the token of the start.
ENTRYPOINT ["vouch"]
CMD ["--help"]
