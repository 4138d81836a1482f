/** Something that was asked of the admin side and cannot be done; the message is for the person who asked. */
export class ControlRefused extends Error {
  readonly status: 400 | 401 | 404 | 409;

  constructor(status: 400 | 401 | 404 | 409, message: string) {
    super(message);
    this.name = 'ControlRefused';
    this.status = status;
  }
}
