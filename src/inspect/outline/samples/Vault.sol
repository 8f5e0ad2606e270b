pragma solidity ^0.8.0;
interface IVault { function deposit(uint256 amount) external; }
library Math { function max(uint a, uint b) internal pure returns (uint) { return a > b ? a : b; } }
contract Vault is IVault {
    struct Position { uint a; address owner; }
    enum State { Open, Closed }
    uint256 public total;
    mapping(address => uint) balances;
    event Paid(address who);
    error Bad();
    modifier onlyOwner() { require(msg.sender == address(0)); _; }
    constructor(uint256 start) { total = start; }
    receive() external payable {}
    function deposit(uint256 amount) external override onlyOwner {
        if (amount > 0 && total > 1) { total += amount; } else if (amount == 1) { for (uint i = 0; i < 3; i++) { total++; } } else { revert Bad(); }
    }
    function deposit(uint256 amount, address who) external { while (amount > 0) amount--; }
}
function free(uint a) pure returns (uint) { return a; }
