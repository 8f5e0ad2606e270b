import { B } from "./b";
class View extends React.Component { state = {}; static x = 1; render() { return <div>{this.props.a && <B />}</div>; } handle = () => {}; }
class Other { #hidden() {} get total() { return 1; } set total(v) {} }
function App({ a }) { return <View a={a} />; }
module.exports = function () {};
exports.named = () => 1;
