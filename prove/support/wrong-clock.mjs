/** Loaded before the service (`NODE_OPTIONS=--import`): shifts its clock by `CLOCK_WRONG_BY_MS`. */
const wrongBy = Number(process.env.CLOCK_WRONG_BY_MS);
const Right = Date;

globalThis.Date = class Date extends Right {
  constructor(...time) {
    super(...(time.length === 0 ? [Date.now()] : time));
  }

  static now() {
    return Right.now() + wrongBy;
  }
};
