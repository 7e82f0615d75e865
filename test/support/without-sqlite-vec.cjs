/** For a process of a test on a system for which there is no binary of `sqlite-vec`. Loaded with `--require`. */
require('sqlite-vec').getLoadablePath = () => {
  throw new Error('there is none for this system');
};
