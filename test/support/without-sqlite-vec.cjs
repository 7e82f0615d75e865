/** Simulates a system without a binary of `sqlite-vec`. Loaded with `--require`. */
require('sqlite-vec').getLoadablePath = () => {
  throw new Error('there is none for this system');
};
